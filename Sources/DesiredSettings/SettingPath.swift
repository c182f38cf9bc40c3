import PropertyList

/// A part of a suite that a settings file asks for: a key, a member inside its value, or one element of an array.
///
/// An element is named by its value, because its index changes when other programs change the array.
package struct SettingPath: Sendable, Hashable {
    package let key: String
    package var members: [String] = []
    package var element: PropertyListValue?

    package init(_ key: String, members: [String] = [], element: PropertyListValue? = nil) {
        (self.key, self.members, self.element) = (key, members, element)
    }

    /// The path inside the key's value, without the element.
    package var inside: ValuePath { ValuePath(members.map { .key($0) }) }

    /// The number of containers around the value, from the key's own value on.
    var containerCount: Int { members.count + (element == nil ? 0 : 1) }

    /// Whether the path is inside an array or a dictionary.
    package func isInside(_ container: SettingPath) -> Bool {
        container.contains(self) && containerCount > container.containerCount
    }

    /// Whether a change of one path can change the other.
    package func overlaps(_ other: SettingPath) -> Bool {
        self == other || contains(other) || other.contains(self)
    }

    private func contains(_ other: SettingPath) -> Bool {
        key == other.key && element == nil && other.members.starts(with: members)
    }

    /// The path without the element.
    package var container: SettingPath { SettingPath(key, members: members) }
}

extension SettingPath: Comparable {
    /// A value comes before everything inside it.
    package static func < (a: SettingPath, b: SettingPath) -> Bool {
        a.order.lexicographicallyPrecedes(b.order)
    }

    private var order: [String] { [key] + members + (element.map { ["", $0.typedJSON()] } ?? []) }
}

/// A part of a suite with the value that it must have.
package struct DesiredSetting: Sendable, Hashable {
    package let path: SettingPath
    /// Nil if there must be no value.
    package let value: PropertyListValue?

    package init(_ path: SettingPath, _ value: PropertyListValue?) { (self.path, self.value) = (path, value) }
}
