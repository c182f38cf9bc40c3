import FoundationEssentials
import PropertyList

/// The changes that give a suite the values of a settings file.
///
/// First, what a name has set before and no longer asks for is put back. Then the new values are set. Nothing is written
/// here: the result has the changes, and what to remember before and after they are stored.
package struct Reconciliation: Sendable {
    /// A value that will change. Elements are shown with their array.
    package struct Difference: Sendable, Hashable {
        package let path: SettingPath
        package let old: PropertyListValue?
        package let new: PropertyListValue?
    }

    /// A value that was not put back, because it, or the container around it, is no longer the one that was applied.
    package struct Left: Sendable, Hashable {
        package let path: SettingPath
        package let applied: PropertyListValue?
        package let current: PropertyListValue?
    }

    /// The new values of the keys; nil removes.
    package private(set) var changes: [String: PropertyListValue?] = [:]
    package private(set) var differences: [Difference] = []
    package private(set) var left: [Left] = []
    /// What is to be remembered after the changes are stored.
    package private(set) var memory = AppliedSettings.Memory()
    private var working: WorkingValues

    /// - Parameters:
    ///   - owned: What the name has set in this suite.
    /// - Throws: ``SettingsFileError`` if a directive does not fit a stored value.
    package init(
        of stored: PropertyListEntries,
        with desired: [DesiredSetting],
        owned: AppliedSettings.Memory = .init(),
        now: Date = Date()
    ) throws(SettingsFileError) {
        working = WorkingValues(stored)
        let stored = working
        let wanted = Set(desired.map(\.path))
        let withdrawn = owned.entries.filter { !wanted.contains($0.key) }.sorted { $0.key < $1.key }
        for (path, entry) in withdrawn { takeBack(path, entry, from: stored.value(at: path)) }
        func isUsed(_ container: SettingPath) -> Bool { desired.contains { $0.path.isInside(container) } }
        // The innermost first, because the container around it may then be empty too.
        for container in owned.made.sorted(by: >) where !isUsed(container) {
            try working.removeIfEmpty(container)
        }
        memory.made = owned.made
        for setting in desired { try set(setting, owned, now) }
        memory.made = memory.made.filter { isUsed($0) && working.value(at: $0) != nil }
        changes = working.changes
        var shown: Set<SettingPath> = []
        for path in desired.map(\.path.container) + withdrawn.map(\.key.container)
        where shown.insert(path).inserted && changes.keys.contains(path.key) {
            let (old, new) = (stored.value(at: path), working.value(at: path))
            if old != new { differences.append(Difference(path: path, old: old, new: new)) }
        }
    }

    /// The value at a path: for an element the element itself, if the array has it.
    package static func value(at path: SettingPath, in stored: PropertyListEntries) -> PropertyListValue? {
        WorkingValues(stored).value(at: path)
    }

    private mutating func takeBack(
        _ path: SettingPath,
        _ entry: AppliedSettings.Entry,
        from current: PropertyListValue?
    ) {
        if isSame(current, entry.before) { return }
        if isSame(current, entry.applied), (try? working.set(entry.before, at: path)) != nil { return }
        left.append(Left(path: path, applied: entry.applied, current: current))
    }

    private mutating func set(
        _ setting: DesiredSetting,
        _ owned: AppliedSettings.Memory,
        _ now: Date
    ) throws(SettingsFileError) {
        let path = setting.path
        let current = working.value(at: path)
        if !isSame(current, setting.value) {
            memory.made.formUnion(try working.set(setting.value, at: path))
        }
        // The value from before stays the first one, whatever was applied since.
        var entry = owned.entries[path] ?? AppliedSettings.Entry(since: now, before: current)
        if !isSame(entry.applied, setting.value) { entry.applied = setting.value }
        memory.entries[path] = entry
    }
}
