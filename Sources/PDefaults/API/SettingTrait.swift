import FoundationEssentials
import PropertyList
import SettingsStore

/// A trait of a setting: a title or help for people who see the setting in an editor, or a limit of its values.
///
/// ```swift
/// @PDefaults("volume", .title("Volume"), .help("How loud alarms are."), .range(0...11)) var volume = 5
/// @PDefaults("server.token", .title("Token"), .secret) var token: String?
/// @PDefaults("look", .formerly("theme")) var look = Look.light
/// ```
///
/// A property refuses a value outside of its limits and keeps the previous value. If another process stored such a
/// value, the property shows its default (``PDefaultsState/invalid(_:)``).
public struct SettingTrait<Value> {
    let apply: (inout SettingDeclaration, any ValueCoding<Value>) -> Void
    /// The keys that the setting had before.
    var oldKeys: [String] = []
    /// Whether the value must not be shown.
    var isSecret = false

    init(_ apply: @escaping (inout SettingDeclaration, any ValueCoding<Value>) -> Void) {
        self.apply = apply
    }
}

// MARK: - For people

extension SettingTrait {
    /// The name of the setting for people: a few words.
    public static func title(_ text: String) -> SettingTrait {
        SettingTrait { declaration, _ in declaration.title = text }
    }

    /// The purpose of the setting: a sentence or more.
    public static func help(_ text: String) -> SettingTrait {
        SettingTrait { declaration, _ in declaration.help = text }
    }

    /// Marks the value as a secret, such as a password or a token.
    ///
    /// Editors don't show the value. The schema does not contain its default, and no error contains a value. The value
    /// is stored without encryption.
    public static var secret: SettingTrait {
        var trait = SettingTrait { declaration, _ in declaration.isSecret = true }
        trait.isSecret = true
        return trait
    }

    /// Marks the setting as deprecated.
    ///
    /// - Parameter advice: what to use instead: a sentence.
    public static func deprecated(_ advice: String = "") -> SettingTrait {
        SettingTrait { declaration, _ in declaration.deprecation = advice }
    }

    /// Names the keys that the setting had before.
    ///
    /// If the present key has no value when the property is first used, the value of the first old key that has one
    /// moves to the present key, in one transaction. While another process has the suite's folder locked, the value
    /// shows at once and moves in the background. A value that the property can't read stays under its old key, and
    /// is reported.
    public static func formerly(_ keys: SettingsKey...) -> SettingTrait {
        var trait = SettingTrait { declaration, _ in declaration.oldKeys += keys }
        trait.oldKeys = keys
        return trait
    }
}

// MARK: - Values

extension SettingTrait {
    /// The only values that the setting accepts. An enum that is `CaseIterable` needs no such list.
    public static func cases(_ values: Value...) -> SettingTrait {
        SettingTrait { declaration, coding in
            // JSON has many spellings of one value, so stored JSON can't be compared with a list.
            if declaration.shape == .json { return }
            declaration.cases = values.compactMap { value in
                isNilValue(value) ? nil : (try? coding.encode(value)).map { settingCase(value, $0) }
            }
        }
    }
}

extension SettingTrait where Value: RangedSetting {
    /// The range of values that the setting accepts: `0...11`, `0.0..<1.0`, `1...`.
    public static func range(_ range: some SettingRange<Value>) -> SettingTrait {
        let bounds = range.settingBounds
        return SettingTrait { declaration, coding in
            declaration.shape = declaration.shape.bounded(
                lower: bounds.lower.flatMap { try? coding.encode($0) },
                upper: bounds.upper.flatMap { try? coding.encode($0) },
                excludesUpper: bounds.excludesUpper
            )
        }
    }
}

extension SettingTrait {
    /// The range of values that the setting accepts.
    public static func range<Wrapped: RangedSetting>(_ range: some SettingRange<Wrapped>) -> SettingTrait
    where Value == Wrapped? {
        let bounds = range.settingBounds
        return SettingTrait { declaration, coding in
            declaration.shape = declaration.shape.bounded(
                lower: bounds.lower.flatMap { try? coding.encode($0) },
                upper: bounds.upper.flatMap { try? coding.encode($0) },
                excludesUpper: bounds.excludesUpper
            )
        }
    }
}

extension SettingTrait where Value == String {
    /// The length of text that the setting accepts, in Unicode scalars, as JSON Schema counts.
    public static func length(_ range: some SettingRange<Int>) -> SettingTrait { ofLength(range) }
}

extension SettingTrait where Value == String? {
    /// The length of text that the setting accepts, in Unicode scalars, as JSON Schema counts.
    public static func length(_ range: some SettingRange<Int>) -> SettingTrait { ofLength(range) }
}

extension SettingTrait {
    private static func ofLength(_ range: some SettingRange<Int>) -> SettingTrait {
        let bounds = range.settingBounds
        return SettingTrait { declaration, _ in
            let most = bounds.upper.map { bounds.excludesUpper ? $0 - 1 : $0 }
            declaration.shape = .string(StringShape(length: Bounds(bounds.lower, most)))
        }
    }
}

extension ValueShape {
    /// The shape with bounds, if it is a number or a date.
    fileprivate func bounded(
        lower: PropertyListValue?,
        upper: PropertyListValue?,
        excludesUpper: Bool
    ) -> ValueShape {
        func bounds<Bound>(_ bound: (PropertyListValue?) -> Bound?) -> Bounds<Bound> {
            Bounds(bound(lower), bound(upper), excludesUpper: excludesUpper)
        }
        let limits: ValueShape =
            switch self {
            case .integer: .integer(bounds { if case .integer(let number) = $0 { number } else { nil } })
            case .real: .real(bounds { if case .real(let number) = $0 { number } else { nil } })
            case .date: .date(bounds { if case .date(let date) = $0 { date } else { nil } })
            default: self
            }
        return narrowed(by: limits)
    }
}

// MARK: - Ranges

/// A type whose values `.range` can limit. A type of your own may conform if it is stored as a whole number, a real
/// number or a date.
public protocol RangedSetting: Comparable {}

extension Int: RangedSetting {}
extension Int8: RangedSetting {}
extension Int16: RangedSetting {}
extension Int32: RangedSetting {}
extension Int64: RangedSetting {}
extension UInt: RangedSetting {}
extension UInt8: RangedSetting {}
extension UInt16: RangedSetting {}
extension UInt32: RangedSetting {}
extension UInt64: RangedSetting {}
extension Float: RangedSetting {}
extension Double: RangedSetting {}
extension Date: RangedSetting {}

/// The ranges of the standard library that can limit a setting.
public protocol SettingRange<Bound> {
    associatedtype Bound: Comparable

    var settingBounds: (lower: Bound?, upper: Bound?, excludesUpper: Bool) { get }
}

extension ClosedRange: SettingRange {
    public var settingBounds: (lower: Bound?, upper: Bound?, excludesUpper: Bool) {
        (lowerBound, upperBound, false)
    }
}

extension Range: SettingRange {
    public var settingBounds: (lower: Bound?, upper: Bound?, excludesUpper: Bool) {
        (lowerBound, upperBound, true)
    }
}

extension PartialRangeFrom: SettingRange {
    public var settingBounds: (lower: Bound?, upper: Bound?, excludesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeThrough: SettingRange {
    public var settingBounds: (lower: Bound?, upper: Bound?, excludesUpper: Bool) { (nil, upperBound, false) }
}

extension PartialRangeUpTo: SettingRange {
    public var settingBounds: (lower: Bound?, upper: Bound?, excludesUpper: Bool) { (nil, upperBound, true) }
}
