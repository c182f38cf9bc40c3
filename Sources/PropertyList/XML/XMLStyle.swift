/// How the lines of a file end, and how far each is from what it is in.
struct XMLStyle {
    let lineEnd: [UInt8]
    let indentation: [UInt8]
}

extension XMLDocument {
    /// That of the first entry; nil where it is the one that new files have, or where nothing shows it.
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
