import FoundationEssentials
import PropertyList
import SettingsStore

/// Something that a program says about a setting where it declares it: for people who see the setting
/// in an editor, and for the values that it takes.
///
/// ```swift
/// @PDefaults("volume", .title("Volume"), .help("How loud alarms are."), .range(0...11)) var volume = 5
/// @PDefaults("server.token", .title("Token"), .secret) var token: String?
/// @PDefaults("look", .formerly("theme")) var look = Look.light
/// ```
///
/// Values that a declaration does not take are refused wherever they come from: a property keeps its old
/// value, and shows its default where another process stored such a value (``PDefaultsState/invalid(_:)``).
public struct SettingTrait<Value> {
    /// - Parameter coding: how values are stored.
    let apply: (inout SettingDeclaration, any ValueCoding<Value>) -> Void
    /// Keys under which the value was stored before.
    var oldKeys: [String] = []
    /// Whether the value is not to be told.
    var isSecret = false

    init(_ apply: @escaping (inout SettingDeclaration, any ValueCoding<Value>) -> Void) {
        self.apply = apply
    }
}

// MARK: - For people

extension SettingTrait {
    /// What people call the setting: a few words.
    public static func title(_ text: String) -> SettingTrait {
        SettingTrait { declaration, _ in declaration.title = text }
    }

    /// What the setting does: a sentence or more.
    public static func help(_ text: String) -> SettingTrait {
        SettingTrait { declaration, _ in declaration.help = text }
    }

    /// The value is not to be shown: a password, a token. It is stored as it is, not encrypted; neither
    /// its default nor what is wrong with a value is told to anybody, and no error carries one.
    public static var secret: SettingTrait {
        var trait = SettingTrait { declaration, _ in declaration.isSecret = true }
        trait.isSecret = true
        return trait
    }

    /// The setting is going to be given up.
    ///
    /// - Parameter advice: what to use instead, a sentence.
    public static func deprecated(_ advice: String = "") -> SettingTrait {
        SettingTrait { declaration, _ in declaration.deprecation = advice }
    }

    /// The setting had other keys before. Where nothing is stored under its own, what is stored under the
    /// first of these that has a value is moved there when the property is first used, in one durable
    /// step. A value that the property can't read stays where it is, and is reported.
    public static func formerly(_ keys: SettingsKey...) -> SettingTrait {
        let names = keys.map(\.rawValue)
        var trait = SettingTrait { declaration, _ in declaration.oldKeys += names }
        trait.oldKeys = names
        return trait
    }
}

// MARK: - Values

extension SettingTrait {
    /// The only values that the setting takes. An enum that is `CaseIterable` needs no such list: its
    /// cases are known.
    public static func cases(_ values: Value...) -> SettingTrait {
        SettingTrait { declaration, coding in
            // Which JSON stands for the same value can't be told.
            if declaration.shape == .json { return }
            declaration.cases = values.compactMap { value in
                isNilValue(value) ? nil : (try? coding.encode(value)).map { settingCase(value, $0) }
            }
        }
    }
}

extension SettingTrait where Value: RangedSetting {
    /// The smallest and the largest value that the setting takes: `0...11`, `0.0..<1.0`, `1...`.
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
    /// The smallest and the largest value that the setting takes.
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
    /// How many characters the setting takes, counted in Unicode scalars, as JSON Schema counts them.
    public static func length(_ range: some SettingRange<Int>) -> SettingTrait { ofLength(range) }
}

extension SettingTrait where Value == String? {
    /// How many characters the setting takes, counted in Unicode scalars, as JSON Schema counts them.
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
    /// The same within bounds, where it has any.
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

/// A type whose values `.range` can limit: one that is stored as a whole
/// number, a real number or a date. A type of yours that is may conform.
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
