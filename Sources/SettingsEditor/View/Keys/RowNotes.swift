import PropertyList
import TerminalCanvas

// The notes after the value of a row.
extension Painter {
    /// The words after a value: what it was, what it will be, its default, its layer.
    mutating func notes(
        of row: Row,
        in suite: SuiteModel,
        _ origin: ValueOrigin?,
        isChanged: Bool
    ) -> [(text: String, style: Style)] {
        let key = row.path.key
        if row.path == suite.outline.session.kept { return [("no longer matches", .faint)] }
        if !isChanged, let found = textOfMatch(in: row, of: suite) {
            return [(spelled(found, glyphs), .plain)]
        }
        var notes: [(text: String, style: Style)] = []
        if isChanged, !suite.hides(key), let before = suite.highlights.before(row, state.format) {
            notes.append((spelled(before, glyphs), .faint))
        }
        if let gone = deletedInside(row, of: suite) {
            notes += [(gone, .deleted), ("will be deleted", .staged)]
        }
        guard let origin else {
            var words = suite.declaration(at: row.path)?.deprecation == nil ? [] : ["deprecated"]
            words += wordsOnApplied(row, in: suite)
            return notes + note(words)
        }
        if suite.outline.deleted.contains(key), suite.stagedDeletion(ofKey: key) != nil {
            notes.append(("will be deleted", .staged))
        }
        if suite.isOvertaken(key) {
            notes.append((wordsOnStored(key, in: suite), .problem))
            return notes
        }
        if suite.outline.deleted.contains(key) { return notes }
        // The row of a declared setting shows the default that will be used then.
        if let old = suite.stagedDeletion(ofKey: key), !suite.hides(key) {
            let text = spelled(summary(ValueNode(old), state.format, limit: 24), glyphs)
            notes += [("\(symbols.deleted) \(text)", .deleted), ("will be deleted", .staged)]
        }
        let declaration = suite.declaration(of: key)
        var words: [String] = []
        switch origin {
        case .byDefault: if !suite.isWithoutValue(key) { words.append("default") }
        case .modified:
            if let declaration, let shown = declaration.defaultValue, !suite.hides(key) {
                words.append("default \(state.choiceText(shown, of: declaration, limit: 24))")
            }
        case .inherited(let layer): words.append(layer.name)
        case .overridden(let layer): words += [layer.name] + wordsOnOwnValue(of: key, in: suite)
        case .locked: words += ["locked"] + wordsOnOwnValue(of: key, in: suite)
        case .sameAsDefault, .undeclared: break
        }
        if declaration?.deprecation != nil { words.append("deprecated") }
        words += wordsOnApplied(row, in: suite)
        return notes + note(words)
    }

    private func note(_ words: [String]) -> [(text: String, style: Style)] {
        words.isEmpty ? [] : [(spelled("(\(words.joined(separator: ", ")))", glyphs), .faint)]
    }

    /// The names of `pdefaults apply --as` that have set the row's value or a part of it.
    private func wordsOnApplied(_ row: Row, in suite: SuiteModel) -> [String] {
        Set(suite.applied(at: row.path).map(\.name)).sorted().map { "by \($0)" }
    }

    /// The path and the text of the match inside a collapsed row; nil if the row itself matches.
    private mutating func textOfMatch(in row: Row, of suite: SuiteModel) -> String? {
        guard row.shown.isContainer, !row.isOpen, !suite.hides(row.path.key),
            let way = suite.outline.wayToFound(from: row, &budget)
        else { return nil }
        return "\(symbols.inside) \(way) \(summary(row.shown.node(at: way), state.format))"
    }

    /// The stored value below a staged change. A container is not compared for each frame, so its changes are in the
    /// list of staged changes only.
    private func wordsOnStored(_ key: String, in suite: SuiteModel) -> String {
        let stored = suite.storedValue(forKey: key)
        let node = stored.map(ValueNode.init)
        let text =
            node?.isContainer == true
            ? "changed \(state.kind.inside)"
            : "\(state.summary(stored, of: key, in: suite.id)) \(state.kind.inside) now"
        return spelled("(\(text))", glyphs)
    }

    /// The elements or members of a container that will be deleted. They have no rows, because the elements after them
    /// have their indexes already.
    private func deletedInside(_ row: Row, of suite: SuiteModel) -> String? {
        guard row.shown.isContainer, !suite.hides(row.path.key) else { return nil }
        let gone = suite.deletions(below: row.path).filter { row.isOpen ? $0.isDirect : true }
        let most = 3
        let texts = gone.prefix(most).map { place in
            let value = summary(place.value, state.format, limit: 24)
            return place.name.isEmpty ? value : "\(place.name): \(value)"
        }
        if texts.isEmpty { return nil }
        let more = gone.count > most ? [String(glyphs.ellipsis) + "+\(gone.count - most)"] : []
        return spelled("\(symbols.deleted) \((texts + more).joined(separator: ", "))", glyphs)
    }

    /// The user's value of a key whose row shows the value of a higher layer.
    private func wordsOnOwnValue(of key: String, in suite: SuiteModel) -> [String] {
        guard let own = suite.value(forKey: key) else { return [] }
        return [
            suite.hides(key) ? "you have another value" : "yours: \(summary(ValueNode(own), state.format))"
        ]
    }
}
