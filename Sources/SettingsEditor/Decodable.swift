import PropertyList
import SettingsStore

// JSON of which nothing is declared but its default: what that has is what programs will look for.
extension SettingDeclaration {
    /// Why programs may no longer decode what they could before; nil where nothing tells of it. Without an old
    /// value: why they may not decode the new one.
    public func doubt(about change: ValueChange) -> String? {
        guard shape == .json, content == nil, !isSecret,
            let model = defaultValue.flatMap({ ValueNode($0).json }),
            let new = change.new.flatMap({ ValueNode($0).json })
        else { return nil }
        // What was missing before is not missed.
        if let old = change.old.flatMap({ ValueNode($0).json }), model.isLacking(in: old) != nil {
            return nil
        }
        return model.isLacking(in: new)
    }
}

extension JSONNode {
    /// A number that programs can read as an integer, however it is written; nil for any other.
    private var wholeNumber: String? {
        if let integer = Int64(source) { return "\(integer)" }
        if let integer = UInt64(source) { return "\(integer)" }
        guard let number = Double(source), number == number.rounded(), let integer = Int64(exactly: number)
        else { return nil }
        return "\(integer)"
    }

    /// What of a default another text does not have, or has as something else.
    fileprivate func isLacking(in other: JSONNode, at path: ValuePath = []) -> String? {
        if kind == .null { return nil }
        guard kind == other.kind else {
            let place = path.steps.isEmpty ? "it" : "“\(path.description.dropFirst())”"
            return
                "\(place) is \(ValueKind.json(other.kind).nameInSentence), in its default \(ValueKind.json(kind).nameInSentence)"
        }
        if kind == .number, let whole = wholeNumber, other.wholeNumber == nil {
            let place = path.steps.isEmpty ? "it" : "“\(path.description.dropFirst())”"
            return "\(place) is \(other.source), in its default the whole number \(whole)"
        }
        guard kind == .object else { return nil }
        for case (.key(let name), let member) in children where member.kind != .null {
            let path = path.appending(.key(name))
            guard let found = other.node(at: [.key(name)]) else {
                return "“\(path.description.dropFirst())” is missing, which its default has"
            }
            if let problem = member.isLacking(in: found, at: path) { return problem }
        }
        return nil
    }
}
