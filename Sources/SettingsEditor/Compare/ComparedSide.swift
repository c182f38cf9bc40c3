import PropertyList
import SettingsStore

/// One side of a comparison.
enum ComparedSide: Sendable, Hashable {
    /// The present values of a suite, with staged changes. A path that is not empty means one value of it.
    case now(suite: String, ValuePath = [])
    /// The defaults that programs have declared for a suite.
    case defaults(suite: String)
    /// The values of a suite at the time when the editor was opened.
    case start(suite: String)
    /// A value of the history. It never changes.
    case past(suite: String, key: String, PropertyListValue?, title: String)

    var suite: String {
        switch self {
        case .now(let suite, _), .defaults(let suite), .start(let suite), .past(let suite, _, _, _): suite
        }
    }

    /// The path of the value; empty for a whole suite.
    var path: ValuePath {
        switch self {
        case .now(_, let path): path
        case .past(_, let key, _, _): [.key(key)]
        case .defaults, .start: []
        }
    }

    var isSuite: Bool { path.steps.isEmpty }
}

/// The keys of a side that is a whole suite, and their values. It is cheap to make, because the storage is shared.
struct ComparedValues {
    /// The keys of the suite's rows, which include all keys of the side except those of ``earlier``.
    private(set) var entries = SortedEntries()
    private var layers = LayeredValues()
    private var declarations: [String: SettingDeclaration] = [:]
    private var isDefaults = false
    /// The values of keys that have changed since the editor was opened, if the side is the suite at that time.
    private var earlier: [String: PropertyListValue?]?

    /// - Parameters:
    ///   - suite: Nil if the suite is gone.
    ///   - other: The other side. Beside its defaults, a suite without a value has the default.
    init(_ side: ComparedSide, _ suite: SuiteModel?, beside other: ComparedSide, _ starts: SuiteStart) {
        guard let suite else { return }
        (entries, layers) = (suite.outline.entries, suite.layers)
        if case .defaults = side { isDefaults = true }
        if case .start = side { earlier = starts.values }
        if isDefaults || other == .defaults(suite: side.suite) { declarations = suite.schema.declarations }
    }

    /// - Parameter row: The value that the key's row shows; nil if there is no row.
    func value(_ key: String, row: PropertyListValue?) -> PropertyListValue? {
        if isDefaults { return declarations[key]?.defaultValue }
        if let earlier { return earlier[key] ?? layers.storedValue(forKey: key, row: row) }
        return layers.value(forKey: key, row: row) ?? declarations[key]?.defaultValue
    }

    func value(_ key: String) -> PropertyListValue? {
        let (index, isThere) = entries.find(key)
        return value(key, row: isThere ? entries[index].value : nil)
    }
}

/// The values that keys of a suite had when the editor was opened, as far as they have changed since.
///
/// The history has each change with its old value, so nothing else has to be kept from the start. It is read further
/// with each change.
struct SuiteStart: Sendable {
    private(set) var values: [String: PropertyListValue?] = [:]
    private var last = 0

    mutating func read(_ journal: Journal, of suite: String) {
        guard let number = journal.entries.last?.number, number > last else { return }
        for entry in journal.entries.suffix(number - last) where entry.suite == suite {
            guard let change = entry.ofKey, values[change.key] == nil else { continue }
            values[change.key] = .some(change.value.old)
        }
        last = number
    }
}

extension EditorState {
    private func model(of side: ComparedSide) -> SuiteModel? {
        suiteIndex(side.suite).map { suiteList.suites[$0] }
    }

    /// Whether the side is known. A suite that is gone has no values.
    func isRead(_ side: ComparedSide) -> Bool {
        if case .past = side { return true }
        return suiteIndex(side.suite).map { suiteList.suites[$0].contents == .loaded } ?? true
    }

    func values(of side: ComparedSide, beside other: ComparedSide) -> ComparedValues {
        ComparedValues(side, model(of: side), beside: other, compared?.start ?? SuiteStart())
    }

    /// The value of a side that is no whole suite.
    func node(of side: ComparedSide) -> ValueNode? {
        if case .past(_, _, let value, _) = side { return value.map(ValueNode.init) }
        return model(of: side)?.outline.node(at: side.path)
    }

    /// The names of both sides; the places alone, if they are two suites of one name.
    func titles(of sides: [ComparedSide]) -> [String] {
        let suites = sides.compactMap { side in
            if case .now(_, let path) = side, path.steps.isEmpty { model(of: side) } else { nil }
        }
        let places = suites.compactMap { suiteList.placeIndex($0.place) }
        guard places.count == 2, places[0] != places[1], suites[0].label == suites[1].label else {
            return sides.map(title)
        }
        return places.map { suiteList.places[$0].title }
    }

    /// The name of a side, and what is wrong with it.
    func title(of side: ComparedSide) -> String {
        if case .past(_, _, _, let title) = side { return title }
        let suite = model(of: side)
        let name = suite?.title ?? side.suite
        let isGone = suite == nil || suite?.presence == .gone || suite?.status?.content == .absent
        let note =
            suite?.isUnreadable == true ? " (unreadable)" : isGone && side.isSuite ? " (not stored)" : ""
        switch side {
        case .defaults: return "defaults of \(name)"
        case .start: return "\(name) at the start"
        case .now(_, let path) where path.steps.isEmpty: return name + note
        case .now(_, let path):
            let place = path.steps.count == 1 ? path.key : path.description
            return (!hasSuitesPane ? "" : "\(name) › ") + place + note
        case .past(_, _, _, let title): return title
        }
    }

    /// The selected row of a comparison.
    func comparedRow(_ screen: CompareScreen) -> ComparedRow? {
        guard let compared, !compared.rows.isEmpty else { return nil }
        return compared.rows[compared.index(of: screen.selected)]
    }

    /// The values that both sides have in a row.
    func comparedNodes(
        _ row: ComparedRow,
        _ left: ComparedValues,
        _ right: ComparedValues
    ) -> (left: ValueNode?, right: ValueNode?) {
        if let place = compared?.place(row.id) { return (place.old, place.new) }
        let key = row.id.key
        return (left.value(key).map(ValueNode.unreadIfLong), right.value(key).map(ValueNode.unreadIfLong))
    }

    /// Whether a key of the comparison is secret on either side.
    func hidesCompared(_ key: String, _ screen: CompareScreen) -> Bool {
        [screen.left, screen.right].contains { hides($0.isSuite ? key : $0.path.key, of: $0.suite) }
    }
}
