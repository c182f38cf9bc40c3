/// Reads and writes dates of XML property lists: `YYYY-MM-DDTHH:MM:SSZ`.
///
/// Foundation's `PropertyListSerialization` accepts month 13; a settings file with such a date is
/// damaged and gets an error here.
extension CivilDate {
    /// Parses a date, or returns nil if it has another form or does not exist. Leap seconds
    /// (`23:59:60`) are not supported. A year may lack leading zeros, because libplist writes years
    /// before 1000 that way.
    init?(xml text: ArraySlice<UInt8>) {
        guard 17...20 ~= text.count else { return nil }
        let text = text.count == 20 ? text : repeatElement(ASCII.zero, count: 20 - text.count) + text
        let start = text.startIndex
        func has(_ mark: Unicode.Scalar, at offset: Int) -> Bool {
            text[start + offset] == UInt8(ascii: mark)
        }
        guard has("-", at: 4), has("-", at: 7), has("T", at: 10), has(":", at: 13), has(":", at: 16),
            has("Z", at: 19)
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for offset in range {
                guard ASCII.isDigit(text[start + offset]) else { return nil }
                value = value * 10 + Int(text[start + offset] - ASCII.zero)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
        else { return nil }
        self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    /// Writes the date without the fraction of its second.
    func appendXML(to output: inout [UInt8]) {
        func append(_ number: Int, _ width: Int, _ mark: Unicode.Scalar) {
            var divisor = width == 4 ? 1000 : 10
            while divisor > 0 {
                output.append(ASCII.zero + UInt8(number / divisor % 10))
                divisor /= 10
            }
            output.append(UInt8(ascii: mark))
        }
        append(year, 4, "-")
        append(month, 2, "-")
        append(day, 2, "T")
        append(hour, 2, ":")
        append(minute, 2, ":")
        append(second, 2, "Z")
    }
}
