// Not part of the package: the script beside this file compiles it and the sources of PropertyList
// into one program with libFuzzer.
import Glibc

/// libFuzzer calls this function with one input after another.
@_cdecl("LLVMFuzzerTestOneInput")
public func checkOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzzer.check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// The part of the module that is fuzzed.
private enum Fuzzer: String {
    case xml, binary, openstep, json, jsonfile, update

    func check(_ input: [UInt8]) {
        switch self {
        case .xml, .openstep: checkPropertyList(input)
        case .binary: checkPropertyList(BinaryInput.file(input))
        case .json: checkJSON(input)
        case .jsonfile: checkJSONFile(input)
        case .update: checkUpdate(input)
        }
    }
}

private let fuzzer: Fuzzer = {
    guard let name = getenv("FUZZER"), let fuzzer = Fuzzer(rawValue: String(cString: name)) else {
        fatalError("The variable FUZZER has to name what is to be fuzzed.")
    }
    return fuzzer
}()

/// Ends the process if a property does not hold. libFuzzer reports that together with the input.
func require(_ condition: Bool, _ property: @autoclosure () -> String) {
    guard condition else { fatalError(property()) }
}

/// Runs code that must not throw.
func requireSuccess<Value>(
    _ property: String,
    _ body: () throws(PropertyListError) -> Value
) -> Value {
    do {
        return try body()
    } catch {
        fatalError("\(property): \(error)")
    }
}

/// Checks that a reader's error has a position in the input, and no character that a terminal would
/// take for a command.
func checkPlace(_ error: PropertyListError, in input: [UInt8]) {
    require(!error.problem.isEmpty, "an error has to say what is wrong")
    require(
        error.description.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control },
        "an error must not hold control characters: \(error)"
    )
    switch error.place {
    case .offset(let offset):
        require(0...input.count ~= offset, "the input of \(input.count) bytes has no place \(error)")
    case .line(let line, let column):
        // Lines are counted in the UTF-8 form of the text.
        let text = (try? TextEncoding.decode(input)) ?? input
        for text in [text, input] {
            let lines = text.split(separator: ASCII.lineFeed, omittingEmptySubsequences: false)
            if 1...lines.count ~= line, 1...lines[line - 1].count + 1 ~= column { return }
        }
        // If UTF-16 input is cut off, the text is everything before that.
        let isUTF16 = if case .utf16 = try? TextEncoding.detect(input).encoding { true } else { false }
        require(
            isUTF16 && column <= 3 * input.count && line <= input.count,
            "the text of \(input.count) bytes has no place \(error)"
        )
    case .path: fatalError("what is read has no path: \(error)")
    }
}
