import Foundation
import PropertyList
import Testing

@Suite("Writing XML property lists")
struct XMLWriterTests {
    @Test("A written value reads back the same", arguments: Sample.everywhere)
    func writtenValueReadsBackTheSame(_ name: String, _ value: PropertyListValue) throws {
        let (read, format) = try PropertyListValue.read(value.encoded(as: .xml))
        #expect(read == value)
        #expect(format == .xml)
    }

    @Test("A value that XML cannot hold is refused with its path", arguments: Sample.notInXML)
    func valueThatXMLCannotHoldIsRefusedWithItsPath(
        _ name: String,
        _ value: PropertyListValue,
        _ part: String
    ) throws {
        let nested: PropertyListValue = ["outer/key": [0, value]]
        let error = try #require(throws: PropertyListError.self) { try nested.encoded(as: .xml) }
        #expect(error.reason == .unrepresentable)
        #expect("\(error)".hasPrefix("/outer~1key/1"), "\(error)")
        #expect(error.problem.contains(part) && error.problem.contains("the binary format"), "\(error)")
    }

    @Test("The file has the layout of Foundation and plistlib")
    func fileHasTheLayoutOfFoundationAndPlistlib() throws {
        let value: PropertyListValue = [
            "b": true, "a": [1, -2.5], "c": .data(Data(repeating: 7, count: 60)), "B": ["x": "<&>\r"],
            "d": .date(Date(timeIntervalSinceReferenceDate: -0.5)), "e": [], "f": [:], "g": "", "u": .uid(3),
        ]
        #expect(
            String(decoding: try value.encoded(as: .xml), as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
                <plist version="1.0">
                <dict>
                \t<key>B</key>
                \t<dict>
                \t\t<key>x</key>
                \t\t<string>&lt;&amp;&gt;&#13;</string>
                \t</dict>
                \t<key>a</key>
                \t<array>
                \t\t<integer>1</integer>
                \t\t<real>-2.5</real>
                \t</array>
                \t<key>b</key>
                \t<true/>
                \t<key>c</key>
                \t<data>
                \tBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
                \tBwcHBwcHBwcH
                \t</data>
                \t<key>d</key>
                \t<date>2000-12-31T23:59:59Z</date>
                \t<key>e</key>
                \t<array/>
                \t<key>f</key>
                \t<dict/>
                \t<key>g</key>
                \t<string></string>
                \t<key>u</key>
                \t<dict>
                \t\t<key>CF$UID</key>
                \t\t<integer>3</integer>
                \t</dict>
                </dict>
                </plist>

                """
        )
    }

    @Test("A fraction of a second is rounded down")
    func fractionOfASecondIsRoundedDown() throws {
        let value = PropertyListValue.date(Date(timeIntervalSinceReferenceDate: -1.25))
        let read = try PropertyListValue.read(value.encoded(as: .xml)).value
        #expect(read == .date(Date(timeIntervalSinceReferenceDate: -2)))
    }

    @Test("A NaN with a sign or a payload reads back as the plain NaN")
    func nanWithASignOrAPayloadReadsBackAsThePlainNaN() throws {
        let value = PropertyListValue.real(-Double(nan: 5, signaling: false))
        #expect(try PropertyListValue.read(value.encoded(as: .xml)).value == .real(.nan))
    }

    @Test("OpenStep is not written")
    func openStepIsNotWritten() throws {
        let error = try #require(throws: PropertyListError.self) {
            try PropertyListValue.string("a").encoded(as: .openStep)
        }
        #expect(error.reason == .unrepresentable)
    }
}
