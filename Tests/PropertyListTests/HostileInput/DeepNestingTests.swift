import Dispatch
import FoundationEssentials
import PropertyList
import Testing

@Suite("Deep nesting")
struct DeepNestingTests {
    /// Arrays and dictionaries in turn, nested as deep as the limit allows.
    private static func deepest() -> PropertyListValue {
        var value: PropertyListValue = [:]
        for level in 1..<PropertyListLimits.standard.depth {
            value = (PropertyListLimits.standard.depth - level).isMultiple(of: 2) ? [value] : ["key": value]
        }
        return value
    }

    @Test(
        "The deepest values can be used on the small stack of a worker thread",
        arguments: [PropertyListFormat.xml, .binary]
    )
    func deepestValuesCanBeUsedOnTheSmallStackOfAWorkerThread(format: PropertyListFormat) async throws {
        // Threads of Dispatch and of Swift's concurrency pool have 512 KB of stack.
        let isEqual = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try Self.passThrough(format) })
            }
        }
        #expect(isEqual)
    }

    private static func passThrough(_ format: PropertyListFormat) throws -> Bool {
        let value = deepest()
        let bytes = try value.encoded(as: format)
        let (read, _) = try PropertyListValue.read(bytes)
        var (document, values) = try PropertyListDocument.read(bytes)
        try document.apply(["other": values["key"]])
        _ = try document.update(to: bytes)
        var path = ValuePath()
        var node: ValueNode? = ValueNode(read)
        while let child = node?.children.first {
            path = path.appending(child.step)
            node = child.node
        }
        let edited = try read.removing(at: path)
        return read == value && read.hashValue == value.hashValue && edited != value
    }

    @Test("One level more is refused with its path", arguments: [PropertyListFormat.xml, .binary])
    func oneLevelMoreIsRefusedWithItsPath(format: PropertyListFormat) {
        let error = #expect(throws: PropertyListError.self) {
            try PropertyListValue.dictionary(["key": Self.deepest()]).encoded(as: format)
        }
        #expect(error?.reason == .limitExceeded)
    }
}
