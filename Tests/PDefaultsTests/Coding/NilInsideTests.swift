import Foundation
import PDefaults
import Testing

@Suite("Arrays and dictionaries with a nil inside")
struct NilInsideTests {
    let suite = SettingsSuite.inMemory()

    @Test("An array or a dictionary is stored as JSON only if it contains nil")
    func nilInside() throws {
        func json(_ text: String) -> PropertyListValue { .data(Data(text.utf8)) }
        @PDefaults("list", suite: suite) var list: [Int?] = [7]
        @PDefaults("entries", suite: suite) var entries: [String: URL?] = [:]
        @PDefaults("deep", suite: suite) var deep: [String: [Date?]]?
        #expect(list == [7])
        list = [1, nil, 2]
        entries = ["a": nil, "b": URL(string: "https://example.org")]
        deep = ["a": [nil, Date(timeIntervalSinceReferenceDate: 1.5)]]
        #expect(
            suite.storedValues == [
                "list": json("[1,null,2]"), "entries": json(#"{"a":null,"b":"https://example.org"}"#),
                "deep": json(#"{"a":[null,1.5]}"#),
            ]
        )
        func readAgain() {
            @PDefaults("list", suite: suite) var sameList: [Int?] = [7]
            @PDefaults("entries", suite: suite) var sameEntries: [String: URL?] = [:]
            @PDefaults("deep", suite: suite) var sameDeep: [String: [Date?]]?
            #expect(sameList == list && sameEntries == entries && sameDeep == deep)
        }
        readAgain()
        list = [1, 2]
        entries = ["b": URL(string: "https://example.org")]
        deep = ["a": [Date(timeIntervalSinceReferenceDate: 1.5)]]
        #expect(
            suite.storedValues == [
                "list": [1, 2], "entries": ["b": "https://example.org"],
                "deep": ["a": [.date(Date(timeIntervalSinceReferenceDate: 1.5))]],
            ]
        )
        readAgain()
        list = []
        #expect(suite.storedValue(forKey: "list") == [])
    }

    @Test("The declaration accepts both forms and no other")
    func shapeOfNilInside() throws {
        @PDefaults("list", suite: suite) var list: [Int?] = []
        let declaration = try #require(suite.declared.declarations["list"])
        #expect(declaration.shape == .array(of: .optional(Int.propertyListShape)))
        let schema = try SuiteSchema(parsing: suite.declared.text)
        #expect(schema.declarations["list"] == declaration)
        for value in [[1, 2], .data(Data("[1,null]".utf8)), []] as [PropertyListValue] {
            #expect(declaration.problem(with: value) == nil, "\(value)")
        }
        for value in [["a"], .data(Data(#"["a",null]"#.utf8)), 1, .data(Data("null".utf8))]
            as [PropertyListValue]
        {
            #expect(declaration.problem(with: value) != nil, "\(value)")
        }
        withExtendedLifetime(list) {}
    }

    @Test("The declaration accepts the JSON of every element type", .timeLimit(.minutes(60)))
    func nilInsideOfEveryType() async throws {
        let errors = PDefaultsConfiguration.errors
        let key = "\(UUID())"
        func check<Value: PropertyListConvertible & Equatable>(_ value: Value) throws {
            suite.removeObject(forKey: key)
            let start: [Value?] = [nil]
            let property = PDefaults(wrappedValue: start, key, suite: suite, register: false)
            try property.set([value, nil])
            #expect(try property.get() == [value, nil])
            let stored = try #require(suite.storedValue(forKey: key))
            let shape = [Value?].propertyListShape
            #expect(SettingDeclaration(shape).problem(with: stored) == nil, "\(Value.self)")
            let schema = SuiteSchema(["a": SettingDeclaration(shape)])
            let declared = try #require(try SuiteSchema(parsing: schema.text).declarations["a"])
            #expect(declared.problem(with: stored) == nil, "\(Value.self)")
        }
        try check(true)
        try check(UInt64.max)
        try check(Int8(1))
        try check(Float(1.5))
        try check("a")
        try check(Date(timeIntervalSinceReferenceDate: 1.5))
        try check(Data([1]))
        try check(try #require(URL(string: "https://example.org")))
        try check(UUID())
        try check(try #require(Decimal(string: "12.5")))
        try check(Locale(identifier: "fr_FR"))
        try check(CGFloat(1.5))
        try check(CGPoint(x: 1, y: 2))
        try check(CGSize(width: 1, height: 2))
        try check(CGRect(x: 1, y: 2, width: 3, height: 4))
        try check(["a": [1, nil]])
        // Nothing was reported before this.
        @PDefaults(key, .range(0...1), suite: suite) var last = 2
        for await error in errors where error.key == key {
            #expect(error.problem == .invalidDefault)
            break
        }
        #expect(last == 2)
    }
}
