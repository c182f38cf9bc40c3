import DesiredSettings
import FoundationEssentials
import PropertyList

/// A setting that `pdefaults apply --as NAME` has set.
///
/// Somebody who changes such a value in the editor should know that it comes from a settings file, which has the old value.
public struct AppliedSetting: Sendable, Equatable {
    let name: String
    let path: SettingPath
    let entry: AppliedSettings.Entry

    package init(by name: String, _ path: SettingPath, _ entry: AppliedSettings.Entry) {
        (self.name, self.path, self.entry) = (name, path, entry)
    }

    /// The path of the row of the value. An element is shown by the row of its array.
    var rowPath: ValuePath { ValuePath([.key(path.key)] + path.inside.steps) }
}

extension SuiteModel {
    /// The settings that were applied to a row, or inside it.
    func applied(at row: ValuePath) -> [AppliedSetting] {
        // Each row on the screen asks, and most suites have none.
        if applied.isEmpty { return [] }
        return applied.filter { $0.rowPath.starts(with: row) }
    }

    /// Whether the value is still the applied one.
    func isInForce(_ setting: AppliedSetting) -> Bool {
        var values = PropertyListEntries()
        values[setting.path.key] = value(forKey: setting.path.key)
        return isSame(Reconciliation.value(at: setting.path, in: values), setting.entry.applied)
    }
}
