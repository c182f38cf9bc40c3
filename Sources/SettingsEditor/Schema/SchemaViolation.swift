import PropertyList
import SettingsStore

/// Values of a change that break a declaration. The user may store them anyway.
struct SchemaViolation: Error, CustomStringConvertible {
    /// The first violation.
    let key: String
    let problem: String
    /// Whether it is uncertain that programs cannot read the value.
    let isDoubt: Bool
    /// The number of other violations.
    let others: Int
    let change: ViolatingChange

    var description: String {
        let rest = others == 0 ? "" : ", and \(others) more are refused"
        return isDoubt
            ? "Programs might not be able to read “\(key)”: \(problem)\(rest)"
            : "“\(key)” can't have this value: \(problem)\(rest)"
    }
}

extension SchemaViolation {
    /// Asks whether to write the values anyway.
    var question: Confirmation { question(about: .undeclared(change)) }

    func question(about subject: Confirmation.Subject) -> Confirmation {
        Confirmation(text: "\(sentence("\(self)")) Write it anyway?", subject: subject)
    }
}

/// A change that waits for the user's answer.
struct ViolatingChange: Sendable, Hashable {
    let parts: [Transaction.Part]
    let purpose: InFlight.Purpose
    let isMove: Bool
}

// The second step of every write, after `check` in WriteRefusals.swift.
extension EditorState {
    /// The violations in these values; nil if there are none.
    func schemaViolation(
        in parts: [Transaction.Part],
        _ purpose: InFlight.Purpose,
        isMove: Bool
    ) -> SchemaViolation? {
        var found: [(key: String, problem: String, isDoubt: Bool)] = []
        for part in parts {
            guard let suite = suiteIndex(part.suite).map({ suiteList.suites[$0] }) else { continue }
            for (key, change) in part.changes.sorted(by: { $0.key < $1.key }) {
                guard let new = change.new, let declaration = suite.declaration(of: key) else { continue }
                if let problem = declaration.problem(with: new, replacing: change.old) {
                    found.append((key, problem, false))
                } else if let problem = declaration.doubt(about: change) {
                    found.append((key, problem, true))
                }
            }
        }
        guard let first = found.first else { return nil }
        return SchemaViolation(
            key: first.key,
            problem: first.problem,
            isDoubt: first.isDoubt,
            others: found.count - 1,
            change: ViolatingChange(parts: parts, purpose: purpose, isMove: isMove)
        )
    }

    /// Writes a change that the user has agreed to.
    mutating func writeAnyway(_ change: ViolatingChange) -> [Effect] {
        modals.pop()
        // The history and a comparison stay open. The draft is done.
        switch modal {
        case .history?, .comparing?: break
        default: modals.closeAll()
        }
        switch change.purpose {
        case .undo: return undo(agreed: change.parts)
        case .redo: return redo(agreed: change.parts)
        case .edit(let source):
            return attempt { state throws in
                let effects = try state.write(change.parts, source, isMove: change.isMove, isAgreed: true)
                let keys = Set(change.parts.flatMap(\.changes.keys))
                // After a move to another suite the user stays in this one.
                let isAway =
                    change.isMove && change.parts.count > 1 && change.parts.allSatisfy { $0.whole == nil }
                if !isAway, !keys.contains(state.selectedRow?.path.key ?? "") {
                    state.suiteList.show(change.parts)
                }
                state.say(
                    "\(state.staging.isOn ? "Staged" : "Written") anyway. Press u to undo."
                )
                return effects
            }
        case .staged: return []
        }
    }
}

// JSON whose only declaration is a default. Programs probably expect the shape of the default.
extension SettingDeclaration {
    /// Why programs may no longer decode a value that they could decode before; nil if nothing suggests it. Without
    /// an old value, why they may not decode the new one.
    public func doubt(about change: ValueChange) -> String? {
        guard shape == .json, !isSecret,
            let model = defaultValue.flatMap({ ValueNode($0).json }),
            let new = change.new.flatMap({ ValueNode($0).json })
        else { return nil }
        // A member that the old value lacked too is not required.
        if let old = change.old.flatMap({ ValueNode($0).json }), model.isLacking(in: old) != nil {
            return nil
        }
        return model.isLacking(in: new)
    }
}

extension JSONNode {
    /// The number, if programs can read it as an integer, in any spelling.
    private var wholeNumber: String? {
        if let integer = Int64(source) { return "\(integer)" }
        if let integer = UInt64(source) { return "\(integer)" }
        guard let number = Double(source), number == number.rounded(), let integer = Int64(exactly: number)
        else { return nil }
        return "\(integer)"
    }

    /// The part of a default that another value lacks or has with another type.
    fileprivate func isLacking(in other: JSONNode, at path: ValuePath = []) -> String? {
        if kind == .null { return nil }
        let place = path.steps.isEmpty ? "it" : "“\(path.description.dropFirst())”"
        guard kind == other.kind else {
            return
                "\(place) is \(ValueKind.json(other.kind).nameInSentence), but its default is \(ValueKind.json(kind).nameInSentence)"
        }
        if kind == .number, let whole = wholeNumber, other.wholeNumber == nil {
            return "\(place) is \(other.source), but its default is the whole number \(whole)"
        }
        guard kind == .object else { return nil }
        for case (.key(let name), let member) in children where member.kind != .null {
            let path = path.appending(.key(name))
            guard let found = other.node(at: [.key(name)]) else {
                return "“\(path.description.dropFirst())” is missing, but its default has it"
            }
            if let problem = member.isLacking(in: found, at: path) { return problem }
        }
        return nil
    }
}
