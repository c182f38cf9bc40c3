import PropertyList
import SettingsStore
import ValueDiff

/// A suite in the editor: its stored values, and the changes to them that are staged or in flight.
struct SuiteModel: Sendable {
    enum Presence: Sendable, Hashable {
        case listed
        /// Created in this editor. The first write creates the file.
        case new
        /// No longer in the list of suites.
        case gone
    }

    /// The last thing that this editor did to the suite as a whole. A later listing or write ends it.
    enum OwnAction: Sendable, Hashable {
        /// The unreadable file was set aside or is about to be, or the suite was created without keys. It stays in the
        /// list even without a file.
        case beginsAnew
        /// It was removed. It may still be listed.
        case removed
    }

    enum Contents: Sendable, Hashable {
        case unknown, loading, loaded
    }

    /// In the first place the name, in other places with the place's location. See ``Place/suiteID(_:)``.
    let id: String
    let place: String
    /// The name in its place.
    let name: String
    /// The name in the list.
    var label: String
    /// The name in messages. A name that several places have is followed by the place.
    var title: String
    var presence = Presence.listed
    @Boxed var status: SuiteStatus?
    var contents = Contents.unknown
    /// The target of the file, if it is a symbolic link.
    var link: String?
    /// The comments of a JSON file, by the paths of their values; nil if the file is no JSON file.
    @Boxed var comments: [ValuePath: String]?
    /// The members of a JSON file whose names occur several times in their objects. The last one counts.
    @Boxed var repeatedMembers: [ValuePath: [RepeatedMember]] = [:]
    /// What `pdefaults apply --as` has set.
    @Boxed var applied: [AppliedSetting] = []
    /// The line with the error, if the file is unreadable.
    @Boxed var badLine: BadLine?
    /// The listed version; nil if it is unknown or older than the last write of this editor.
    private(set) var version: SuiteVersion?
    /// The staged values, those in flight, and those that other processes changed.
    @Boxed var layers = LayeredValues()
    /// The new paths in keys that have changed since ``takeMappings()``.
    var mappings: [String: PathMapping] = [:]
    /// The keys that may have changed since a comparison asked; nil if no comparison does, or if all may have.
    var updatedKeys: Set<String>?
    /// The path of the unreadable file that the user moved aside since the editor was opened.
    var movedAside: String?
    var ownAction: OwnAction?
    /// The suite that was selected when this one was created. It is selected again if the user cancels.
    var madeBehind: String?
    @Boxed var outline = Outline()
    @Boxed var highlights = ChangeHighlights()
    /// The rows that were chosen with m.
    var multiSelection: Set<ValuePath> = []
    private(set) var schema = SuiteSchema()
    /// The layers besides the user's own.
    @Boxed var otherLayers = OtherLayers()
    var secrets: Secrets { didSet { outline.hide(secrets) } }
    /// The keys that the file had in several Unicode forms. One form is shown.
    var keysInSeveralForms: Set<String> = []
    /// The keys with values in quarantine, with the file of the newest one.
    private(set) var setAside: [String: String] = [:]

    init(
        id: String,
        _ name: String,
        in place: String = "",
        status: SuiteStatus? = nil,
        secrets: Secrets = Secrets()
    ) {
        (self.id, self.place, self.name, label, title) = (id, place, name, name, name)
        self.status = status
        self.secrets = secrets
        outline.hide(secrets)
    }

    var staged: [String: ValueChange] { layers.staged }
    var inFlight: [InFlight] { layers.inFlight }
    var changedByOthers: [String: PropertyListValue?] { layers.changedByOthers }
    /// The change of the whole suite that is written with the staged changes; nil if there is none.
    var stagedWhole: WholeSuite? {
        get { layers.stagedWhole }
        set { layers.stagedWhole = newValue }
    }

    /// The value of a key after all staged changes and writes in flight.
    func value(forKey key: String) -> PropertyListValue? {
        layers.value(forKey: key, row: outline.value(forKey: key))
    }

    /// The stored value of a key, as far as it is known.
    func storedValue(forKey key: String) -> PropertyListValue? {
        layers.storedValue(forKey: key, row: outline.value(forKey: key))
    }

    /// All stored values. This copies them.
    var storedValues: [String: PropertyListValue] {
        var values = Dictionary(uniqueKeysWithValues: outline.entries.map { ($0.key, $0.value) })
        layers.replaceRows(in: &values)
        return values
    }

    /// The keys whose values come from this editor.
    var ownKeys: Set<String> { layers.ownKeys }

    /// Whether it stays in the list even without a file.
    var beginsAnew: Bool { ownAction == .beginsAnew }

    mutating func noLongerBeginsAnew() { if beginsAnew { ownAction = nil } }

    /// Whether the file cannot be read, so that the stored values are unknown.
    var isUnreadable: Bool { if case .unreadable? = status?.content { true } else { false } }

    /// How many keys it has, in words; nil if that is not known.
    var keyCountInWords: String? {
        guard contents == .loaded, !isUnreadable || !outline.entries.isEmpty else { return nil }
        let count = outline.entries.count - outline.deleted.count
        return count == 1 ? "1 key" : "\(count) keys"
    }

    func isInFlight(_ key: String) -> Bool { layers.isInFlight(key) }
}

extension SuiteModel {
    mutating func begin(_ flight: InFlight) {
        layers.begin(flight)
        for (key, change) in flight.write.changes { highlights.carry(key, change) }
        updateRows(flight.write.changes.keys)
    }

    /// Ends a write and returns it; nil if it belongs to another suite.
    mutating func end(_ id: WriteID, _ result: WriteResult, now: Double) -> InFlight? {
        guard let flight = layers.take(id) else { return nil }
        // The next listed version may come from this write.
        version = nil
        var keys = Set(flight.write.changes.keys)
        // A foreign change that was reported meanwhile is newer than the result.
        switch result {
        case .done:
            for (key, change) in flight.write.changes where !flight.overtaken.contains(key) {
                layers.setStored(change.new, key)
            }
        case .conflict(let current):
            // If the whole suite was to change, a key that was not known yet may be among them.
            keys.formUnion(current.keys)
            for (key, value) in current where !flight.overtaken.contains(key) {
                highlights.add(
                    key,
                    before: storedValue(forKey: key).map(ValueNode.init),
                    after: value,
                    now: now
                )
                layers.setStored(value, key)
            }
        case .failed: break
        }
        renewStaged(flight.write.changes.keys)
        updateRows(keys)
        return flight
    }

    /// Stores the listed version. Returns whether another process changed the suite since it was listed before.
    mutating func take(_ version: SuiteVersion?) -> Bool {
        defer { self.version = version }
        guard contents == .unknown, inFlight.isEmpty, let old = self.version, let version else {
            return false
        }
        return version != old
    }

    /// Stores the declarations.
    ///
    /// - Parameter problem: Why the declarations cannot be read.
    mutating func declare(_ schema: SuiteSchema, problem: String?) {
        learnSecrets(of: schema, problem: problem)
        guard schema != self.schema else { return }
        let keys = Set(self.schema.declarations.keys).union(schema.declarations.keys)
        self.schema = schema
        if contents == .loaded { updateRows(keys) }
        renewDecodingCheck()
    }

    /// Stores the keys with values in quarantine.
    mutating func setAside(_ files: [String: String]) {
        guard files != setAside else { return }
        setAside = files
        renewDecodingCheck()
    }
}
