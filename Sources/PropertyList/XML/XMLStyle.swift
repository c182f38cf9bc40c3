/// The line ends and the indentation of one level in a file, so that new entries look like existing
/// ones.
struct XMLStyle {
    let lineEnd: [UInt8]
    let indentation: [UInt8]
}

extension XMLDocument {
    /// The style of the first entry. It is nil if that is the style of new files or if the file does
    /// not show one.
    var style: XMLStyle? {
        guard !ends.isEmpty else { return nil }
        let space = bytes[bodyStart...].prefix(100).prefix(while: ASCII.isWhiteSpace)
        guard let line = space.lastIndex(of: ASCII.lineFeed) else { return nil }
        let isCRLF = line > space.startIndex && space[line - 1] == ASCII.carriageReturn
        let indentation = Array(space[(line + 1)...])
        if !isCRLF, indentation == [ASCII.tab] { return nil }
        let lineEnd = isCRLF ? [ASCII.carriageReturn, ASCII.lineFeed] : [ASCII.lineFeed]
        return XMLStyle(lineEnd: lineEnd, indentation: indentation)
    }
}
