import FoundationEssentials
import PropertyList

// + and - in a row: an integer goes up or down by one, and a date by a day, or by the number before the key.
extension EditorState {
    func counting(_ row: Row, by step: Int) throws -> Outcome {
        guard let suite else { return .nothing }
        if suite.hides(row.path.key) { throw Refusal.secret }
        guard let new = try row.node.counted(by: step, format) else {
            throw Refusal("+ and - count integers and the days of dates. Press Enter to edit the value.")
        }
        guard let whole = suite.shownValue(forKey: row.path.key) else { return .nothing }
        let changed = try whole.replacing(at: row.path.inside, with: new)
        return .write(SuiteEdit(suite: suite.id, values: [row.path.key: changed]))
    }
}

extension ValueNode {
    /// The value so many numbers or days later; nil if it is neither an integer nor a date.
    fileprivate func counted(by step: Int, _ format: ValueFormat) throws -> NewValue? {
        switch (json, content) {
        case (let json?, _):
            guard json.kind == .number, let number = PropertyListInteger(json.source) else { return nil }
            return .json("\(try number.counted(by: step))")
        case (nil, .propertyList(.integer(let number))):
            return .propertyList(.integer(try number.counted(by: step)))
        case (nil, .propertyList(.date(let date))):
            return .propertyList(.date(try format.date(days: step, after: date)))
        default: return nil
        }
    }
}

extension PropertyListInteger {
    fileprivate func counted(by step: Int) throws -> PropertyListInteger {
        guard let number = Int128(exactly: self),
            let sum = PropertyListInteger(exactly: number + Int128(step))
        else { throw Refusal("An integer can be from \(Int64.min) to \(UInt64.max).") }
        return sum
    }
}
