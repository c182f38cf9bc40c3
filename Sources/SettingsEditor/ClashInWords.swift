import PropertyList

// What is said where others have changed what was to be replaced.
extension EditorState {
    /// What others have made of such places, in a sentence: `“json/a” has changed since: 55 → 66.`
    func changedSince(_ clashes: [Merge.Clash], of key: String, in suite: String) -> String {
        guard let clash = clashes.first, !hides(key, of: suite) else { return "“\(key)” has changed since." }
        let (place, text) = whatChanged(clash, key)
        return "“\(place)” has changed since: \(text)\(more(clashes))."
    }

    /// Asks whether what a key held before a change is to be put back all the same.
    func questionAboutGoingBack(_ clashes: [Merge.Clash], of key: String, in suite: String) -> String {
        guard let clash = clashes.first else { return "" }
        if clash.isTooMuch {
            return "“\(key)” has changed since, in too many places to go back in some: "
                + (clash.mine == nil ? "delete all of it?" : "put all of it back as it was?")
        }
        let name = key + (hides(key, of: suite) ? "" : clash.path.description)
        let (place, text) = whatChanged(clash, key)
        guard place == name || hides(key, of: suite) else {
            return "“\(place)” has changed since: \(text)\(more(clashes)). "
                + (clash.mine == nil ? "Delete all of “\(name)”?" : "Put all of “\(name)” back as it was?")
        }
        let now = brief(clash.theirs, of: key, in: suite)
        let back = clash.mine.map { "put \(brief($0, of: key, in: suite)) back" } ?? "delete it"
        return "“\(name)” holds \(now) now\(more(clashes)): \(back)?"
    }

    /// Asks whether what waits is to go over what the file holds.
    func questionAboutReplacing(_ clashes: [Merge.Clash], of key: String, in suite: String) -> String {
        guard let clash = clashes.first else { return "" }
        if clash.isTooMuch {
            return "Too many places of “\(key)” have changed to be written one by one: "
                + "is yours to replace all that \(kind.name) holds there, others' changes too?"
        }
        let name = key + (hides(key, of: suite) ? "" : clash.path.description)
        let now = brief(clash.theirs, of: key, in: suite)
        let mine = brief(clash.mine, of: key, in: suite)
        return "\(kind.nameAtStart) holds \(now) for “\(name)” now\(more(clashes)): is \(mine) to replace it?"
    }

    /// The place inside the one that clashes at which others have changed it, and how.
    private func whatChanged(_ clash: Merge.Clash, _ key: String) -> (place: String, text: String) {
        let words = ChangeInWords(clash.base, clash.theirs, spelling)
        guard let place = words.first(below: [])?.place else { return ("\(key)\(clash.path)", "") }
        return ("\(key)\(clash.path)\(place.path)", place.text)
    }

    private func more(_ clashes: [Merge.Clash]) -> String {
        switch clashes.count {
        case ...1: ""
        case 2: ", and 1 more place has changed"
        default: ", and \(clashes.count - 1) more places have changed"
        }
    }
}
