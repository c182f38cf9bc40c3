import Foundation
import PropertyList

// The rows of the table of XML files.
extension KeptFile {
    private static let end = Array("</dict></plist>\n".utf8)

    /// A row whose name is the element of the value.
    private static func value(_ xml: String) -> KeptFile { value("`\(xml)`", xml) }

    private static func value(_ name: String, _ xml: String) -> KeptFile { value(name, Array(xml.utf8)) }

    private static func value(_ name: String, _ xml: [UInt8]) -> KeptFile {
        let start = Array("<plist version=\"1.0\"><dict><key>value</key>".utf8)
        return KeptFile(name: name, bytes: start + xml + end, part: xml)
    }

    /// Creates a row for a dictionary.
    ///
    /// - Parameter part: The entry to look for after a change, or nil for all entries.
    private static func dictionary(_ xml: String, _ part: String? = nil) -> KeptFile {
        dictionary("`\(xml)`", xml, part)
    }

    private static func dictionary(_ name: String, _ xml: String, _ part: String?) -> KeptFile {
        dictionary(name, Array(xml.utf8), part.map { Array($0.utf8) })
    }

    private static func dictionary(_ name: String, _ xml: [UInt8], _ part: [UInt8]? = nil) -> KeptFile {
        let bytes = Array("<plist version=\"1.0\"><dict>".utf8) + xml + Array("</dict></plist>".utf8)
        return KeptFile(name: name, bytes: bytes, part: part ?? xml)
    }

    static let xmlValues = [
        value("<true></true>"), value("<true>x</true>"),
        value("<integer> 7 </integer>"),
        value("<integer>+007</integer>"), value("<integer>0x1F</integer>"), value("<integer>- 1</integer>"),
        value("<integer>18446744073709551616</integer>"), value("<integer>-9223372036854775809</integer>"),
        value("<integer>1.5</integer>"), value("<integer></integer>"), value("<integer>1 2</integer>"),
        value("<real>1</real>"), value("<real>1e3</real>"), value("<real>.5</real>"),
        value("<real>1e400</real>"),
        value("<real>1e-400</real>"), value("<real>-0.0</real>"), value("<real>nan</real>"),
        value("<real>-nan</real>"),
        value("<real>Infinity</real>"), value("<real>-inf</real>"), value("<real>1,5</real>"),
        value("<real>0x1p3</real>"),
        value("<date>2024-02-29T23:59:59Z</date>"), value("<date>2024-02-30T00:00:00Z</date>"),
        value("<date>1-01-01T00:00:00Z</date>"), value("<date>2023-13-01T00:00:00Z</date>"),
        value("<date>2016-12-31T23:59:60Z</date>"),
        value("<date>2024-01-01T00:00:00.5Z</date>"), value("<date>2024-01-01T00:00:00+01:00</date>"),
        value("<date>2024-01-01</date>"),
        value("<string/>"), value("<string> a </string>"), value("<string>a&#27;b</string>"),
        value("`<string>` with an unescaped escape character", "<string>a\u{1B}b</string>"),
        value("`<string>` with an unescaped NUL", "<string>a\u{0}b</string>"),
        value("<string>&#0;</string>"), value("<string>&#xFFFF;</string>"),
        value("<string>&#xD800;</string>"),
        value(
            "`<string>` with the bytes of half a surrogate pair",
            Array("<string>".utf8) + [0xED, 0xA0, 0x80] + Array("</string>".utf8)
        ),
        value(
            "`<string>` with a byte that is not UTF-8",
            Array("<string>".utf8) + [0xE9] + Array("</string>".utf8)
        ),
        value("`<string>` with an unescaped carriage return and line feed", "<string>a\r\nb</string>"),
        value("<string>&quot;&apos;&#233;</string>"), value("<string>&eacute;</string>"),
        value("<string>a & b</string>"),
        value("<string><![CDATA[<x>&]]></string>"), value("<string>a<!-- no -->b</string>"),
        value("<string lang=\"en\">a</string>"),
        value("<data>AAE=</data>"), value("<data> A A E = </data>"), value("<data>AAE</data>"),
        value("<data>A*E=</data>"),
        value("<key>a</key>"), value("<null/>"), value("<set><string>a</string></set>"),
        value("<uid>5</uid>"), value("<float>1</float>"),
        value("<array><true/></array>"), value("<array>x</array>"),
        value("<dict><key>CF$UID</key><integer>5</integer></dict>"),
        value("<dict><key>CF$UID</key><integer>-5</integer></dict>"),
    ]

    static let xmlDictionaries = [
        dictionary("<key>a</key><true/><key>a</key><false/>", "<key>a</key><false/>"),
        dictionary(
            "é as two keys, composed and decomposed",
            "<key>\u{E9}</key><true/><key>e\u{301}</key><false/>",
            "<key>e\u{301}</key><false/>"
        ),
        dictionary("<key>b</key><true/><key>a</key><false/>", "<key>b</key><true/>"),
        dictionary("<key/><true/>"),
        dictionary("a key without a value", "<key>a</key>", nil), dictionary("<true/>"),
        dictionary("<integer>1</integer><true/>"),
        dictionary("<!-- note --><key>a</key><!-- note --><true/>"),
        dictionary("<?note x?><key>a</key><true/>"),
        dictionary(
            "comment with a byte that is not UTF-8",
            Array("<!-- ".utf8) + [0xE9] + Array(" --><key>a</key><true/>".utf8)
        ),
        dictionary(
            "attribute with a byte that is not UTF-8",
            Array("<key>a</key><array x=\"".utf8) + [0xE9] + Array("\"/>".utf8)
        ),
        dictionary("<key>CF$UID</key><integer>5</integer>"),
        dictionary("<key>a&#27;b</key><true/>"),
    ]

    private static func file(_ name: String, _ before: String, _ after: String = "") -> KeptFile {
        let text = "<?xml version=\"1.0\"?>" + before + "<dict><key>value</key><true/></dict>" + after
        let part = before.isEmpty ? "<key>value</key><true/>" : before
        return KeptFile(name: name, bytes: Array(text.utf8), part: Array(part.utf8))
    }

    private static func deep(_ levels: Int) -> KeptFile {
        let arrays = levels - 1
        return value(
            "\(levels) levels, including the suite",
            String(repeating: "<array>", count: arrays) + String(repeating: "</array>", count: arrays)
        )
    }

    private static let doctype =
        "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">"

    static let xmlFiles = [
        file("Apple's document type", doctype + "<plist version=\"1.0\">", "</plist>"),
        file(
            "document type that declares an entity",
            "<!DOCTYPE plist [<!ENTITY x \"y\">]><plist>",
            "</plist>"
        ),
        file("no `plist` element", ""),
        file("`<plist version=\"0.9\">`", "<plist version=\"0.9\">", "</plist>"),
        file("comments before and after the value", "<!-- note --><plist>", "</plist><!-- note -->"),
        file("text after `</plist>`", "<plist>", "</plist>x"), file("no `</plist>`", "<plist>"),
        file("two values", "<plist><true/>", "</plist>"),
        KeptFile(name: "array at the top", bytes: Array("<plist><array/></plist>".utf8), part: []),
        KeptFile(name: "empty file", bytes: [], part: []),
        KeptFile(name: "only white space", bytes: Array(" \n".utf8), part: []),
        deep(128), deep(129),
    ]

    private static func encoded(
        _ name: String,
        _ declared: String,
        mark: [UInt8] = [],
        _ bytes: (String) -> [UInt8]
    ) -> KeptFile {
        let declaration = declared.isEmpty ? "" : "<?xml version=\"1.0\" encoding=\"\(declared)\"?>"
        let text = "\(declaration)<plist><dict><key>value</key><string>é</string></dict></plist>"
        return KeptFile(name: name, bytes: mark + bytes(text), part: bytes("<string>é</string>"))
    }

    private static func latin1(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func utf32(_ text: String) -> [UInt8] {
        text.unicodeScalars.flatMap { [0, 0, 0, UInt8(truncatingIfNeeded: $0.value)] }
    }

    static let xmlEncodings = [
        encoded("UTF-8, declared", "UTF-8") { Array($0.utf8) },
        encoded("UTF-8, not declared", "") { Array($0.utf8) },
        encoded("UTF-8 with a byte-order mark", "UTF-8", mark: [0xEF, 0xBB, 0xBF]) { Array($0.utf8) },
        encoded("UTF-16, little-endian with a mark", "UTF-16", mark: [0xFF, 0xFE]) {
            utf16($0, bigEndian: false)
        },
        encoded("UTF-16, big-endian with a mark", "UTF-16", mark: [0xFE, 0xFF]) {
            utf16($0, bigEndian: true)
        },
        encoded("UTF-16, little-endian without a mark", "UTF-16") { utf16($0, bigEndian: false) },
        encoded("UTF-16, big-endian without a mark", "UTF-16") { utf16($0, bigEndian: true) },
        encoded("UTF-16 only in the declaration", "UTF-16") { Array($0.utf8) },
        encoded("ISO-8859-1", "ISO-8859-1", latin1), encoded("Latin-1 without a declaration", "", latin1),
        encoded("US-ASCII with a byte above 127", "US-ASCII", latin1),
        encoded("windows-1252", "windows-1252", latin1),
        encoded("UTF-32", "UTF-32", utf32),
    ]
}
