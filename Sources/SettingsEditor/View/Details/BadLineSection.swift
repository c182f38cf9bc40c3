import TerminalCanvas

/// The line with the error in an unreadable file, and a caret under the error.
struct BadLineSection: DetailSection {
    let title = "Line with the error"

    func lines(_ context: DetailContext) -> [DetailLine] {
        guard context.suite.isUnreadable, let line = context.suite.badLine else { return [] }
        // The line may contain a secret, and no key tells which value it is.
        guard !context.suite.secrets.mayHide else {
            return context.sentences("Hidden, because the suite has secrets.", .faint)
        }
        let glyphs = context.glyphs
        let gutter = "\(line.number) \(glyphs.verticalLine) "
        let room = max(8, context.columns - gutter.count)
        let ellipsis = String(glyphs.ellipsis)
        // A tab is as wide as a space, so that the caret is at its place.
        let before = escapedForDisplay(line.before.replacing("\t", with: " "), glyphs: glyphs)
        let after = escapedForDisplay(line.after.replacing("\t", with: " "), glyphs: glyphs)
        var start = before
        if !line.isCutBefore { start = String(start.drop { $0 == " " }) }
        let wanted = max(room * 2 / 3, room - displayWidth(of: after, glyphs: glyphs) - 1)
        if line.isCutBefore || displayWidth(of: start, glyphs: glyphs) > wanted {
            while displayWidth(of: start, glyphs: glyphs) > wanted - 1 { start.removeFirst() }
            start = ellipsis + start
        }
        let used = displayWidth(of: start, glyphs: glyphs)
        let end = clipped(line.isCutAfter ? after + ellipsis : after, columns: room - used, glyphs: glyphs)
        let margin = String(repeating: " ", count: gutter.count - 2) + "\(glyphs.verticalLine) "
        return [
            DetailLine([.init(text: gutter, style: .faint), .init(text: start + end, style: .plain)]),
            DetailLine([
                .init(text: margin + String(repeating: " ", count: used), style: .faint),
                .init(text: "^", style: .problem),
            ]),
        ]
    }
}
