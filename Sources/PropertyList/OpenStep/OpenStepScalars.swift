import FoundationEssentials

// Reads data and GNUstep's typed values.
extension OpenStepReader {
    /// Reads data in hexadecimal digits.
    mutating func readData() throws(PropertyListError) -> Data {
        let start = position
        position += 1
        var data = Data()
        var half: UInt8?
        while current != ASCII.greater {
            if let digit = ASCII.hexDigit(current), !isAtEnd {
                if let high = half {
                    data.append(high << 4 | digit)
                    half = nil
                } else {
                    half = digit
                }
                position += 1
            } else if ASCII.isWhiteSpace(current) {
                position += 1
            } else {
                throw expected("hexadecimal digits or ‘>’")
            }
        }
        guard half == nil else { throw error(at: start, "the data has an odd number of hexadecimal digits") }
        position += 1
        return data
    }

    /// Reads data in GNUstep's Base64 form.
    mutating func readBase64() throws(PropertyListError) -> Data {
        let start = position
        guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")) else {
            throw error(at: start, "the data does not end, expected ‘]>’ after it")
        }
        let data: Data
        do {
            data = Data(try Base64.decode(bytes[start + 2..<end]))
        } catch {
            throw self.error(at: error.offset, quoting: .character(at: error.offset, in: bytes)) {
                "found \($0) in data: \(error.problem)"
            }
        }
        position = end + 1
        try skip(">", "after ‘]’")
        return data
    }

    /// Reads a typed value of GNUstep, which may have quotation marks.
    mutating func readTyped() throws(PropertyListError) -> PropertyListValue {
        let start = position
        guard let end = bytes[start...].prefix(400).firstIndex(of: ASCII.greater) else {
            throw error(at: start, "the value does not end, expected ‘>’ after it")
        }
        position = end + 1
        var text = bytes[start + 2..<end]
        let type = text.popFirst()
        if text.count >= 2, text.first == ASCII.quote, text.last == ASCII.quote {
            text = text.dropFirst().dropLast()
        }
        switch type {
        case UInt8(ascii: "B") where text == [UInt8(ascii: "Y")]: return true
        case UInt8(ascii: "B") where text == [UInt8(ascii: "N")]: return false
        case UInt8(ascii: "I"):
            if case .number(let number) = XMLNumber.integer(text) { return .integer(number) }
        case UInt8(ascii: "R"): if let number = XMLNumber.real(text) { return .real(number) }
        case UInt8(ascii: "D"): if let date = Self.date(text) { return .date(date) }
        default: break
        }
        throw error(at: start, quoting: .text(bytes[start...end])) {
            "\($0) is not a value such as <*I5>, <*R1.5>, <*BY>, <*BN> or <*D2024-01-01 00:00:00 +0000>"
        }
    }

    /// Parses a date of the form `2024-01-01 00:00:00 +0000`.
    private static func date(_ text: ArraySlice<UInt8>) -> Date? {
        guard text.count == 25 else { return nil }
        let bytes = Array(text)
        var xml = bytes[..<19]
        guard bytes[10] == ASCII.space, bytes[19] == ASCII.space else { return nil }
        xml[10] = UInt8(ascii: "T")
        xml.append(UInt8(ascii: "Z"))
        let digits = bytes[21...]
        guard let moment = CivilDate(xml: xml), digits.allSatisfy(ASCII.isDigit),
            bytes[20] == UInt8(ascii: "+") || bytes[20] == UInt8(ascii: "-"),
            let offset = Int(String(decoding: digits, as: UTF8.self)), offset % 100 < 60, offset <= 2359
        else { return nil }
        let seconds = Double((offset / 100 * 60 + offset % 100) * 60)
        return moment.date.addingTimeInterval(bytes[20] == UInt8(ascii: "+") ? -seconds : seconds)
    }
}
