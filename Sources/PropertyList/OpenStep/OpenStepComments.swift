// The first change converts an OpenStep file to XML. The comments that a person wrote move to the top of the new file.
extension OpenStepReader {
    /// The texts of the comments, in order and without their marks.
    var commentTexts: [String] {
        comments.map { comment in
            let isLine = bytes[comment.lowerBound + 1] == ASCII.slash
            return String(decoding: bytes[comment].dropFirst(2).dropLast(isLine ? 0 : 2), as: UTF8.self)
        }
    }
}

extension XMLDocument {
    /// Returns the document with comments before its dictionary.
    ///
    /// XML allows no `--` in a comment (XML 1.0, section 2.5), so this becomes `- -`. A forbidden
    /// control character becomes U+FFFD.
    func adding(_ comments: [String]) throws(PropertyListError) -> XMLDocument {
        if comments.isEmpty { return self }
        let front = bytes[..<bodyStart].lastIndex(of: ASCII.less) ?? bodyStart
        var text = bytes
        text.insert(contentsOf: comments.map { "<!--\(Self.commentText($0))-->\n" }.joined().utf8, at: front)
        return try XMLDocument.read(text, limits: limits).document
    }

    private static func commentText(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "-", result.unicodeScalars.last == "-" { result += " " }
            let isAllowed = scalar.value >= 0x20 || "\t\n\r".unicodeScalars.contains(scalar)
            result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
        }
        return result.unicodeScalars.last == "-" ? result + " " : result
    }
}
