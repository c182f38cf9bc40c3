import Foundation
import PropertyList
import SettingsStore

// The methods of `UserDefaults`, with the conversions that Apple documents, so that code for `UserDefaults` works
// with a suite. Our own code, since Foundation's `UserDefaults` can only read and set values in a cache of its own.

extension SettingsSuite {
    /// Sets the value of a key; nil removes the key.
    ///
    /// The value may be of any type that a property can have, a Foundation object of such a type, or an array or a
    /// dictionary of these. It is stored as a property stores it. A value that can't be stored changes nothing and is
    /// reported to ``PDefaultsConfiguration/onError``.
    @_disfavoredOverload
    public func set(_ value: Any?, forKey key: String) {
        PDefaultsConfiguration.reportsSuites
        do {
            set(try value.flatMap { try propertyListValue($0) }, forKey: key)
        } catch {
            report(error, key)
        }
    }

    public func removeObject(forKey key: String) { set(nil as PropertyListValue?, forKey: key) }

    /// Registers defaults for keys that have no stored value, see ``register(_:)``.
    public func register(defaults: [String: Any]) {
        for (key, value) in defaults {
            do {
                if let value = try propertyListValue(value) { register([key: value]) }
            } catch {
                report(error, key)
            }
        }
    }

    /// Registers a default for one key.
    public func register(_ value: Any, forKey key: String) { register(defaults: [key: value]) }

    private func report(_ error: any Error, _ key: String) {
        PDefaultsConfiguration.report(
            PDefaultsError(key: key, location: location, problem: .unencodable, reason: sentence(of: error))
        )
    }
}

extension SettingsSuite {
    /// The value of the highest layer that has the key, see ``sources(forKey:)``.
    ///
    /// The value has its natural Swift type: `Bool`, `Int` (`UInt64` above `Int.max`), `Double`, `String`, `Date`, `Data`,
    /// `[Any]` or `[String: Any]`.
    public func object(forKey key: String) -> Any? { value(forKey: key).map(natural) }

    /// The values of all keys in all layers, each from the highest layer that has the key.
    public func dictionaryRepresentation() -> [String: Any] {
        registeredValues.merging(layeredValues) { $1 }.mapValues(natural)
    }

    /// Whether an administrator has locked the key, see ``isLocked(_:)``. Foundation's method returns false for every key on
    /// Linux.
    public func objectIsForced(forKey key: String) -> Bool { isLocked(key) }

    /// The string, or the digits of the number; nil for any other value.
    public func string(forKey key: String) -> String? {
        switch value(forKey: key) {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): NSNumber(value: number).stringValue
        case .boolean(let flag): flag ? "1" : "0"
        default: nil
        }
    }

    public func array(forKey key: String) -> [Any]? { object(forKey: key) as? [Any] }

    public func dictionary(forKey key: String) -> [String: Any]? { object(forKey: key) as? [String: Any] }

    /// The array, if all its elements are strings; else nil.
    public func stringArray(forKey key: String) -> [String]? {
        value(forKey: key).flatMap([String].make(from:))
    }

    public func data(forKey key: String) -> Data? { convertible(forKey: key) }

    /// The value as a `Bool`; false if there is none.
    ///
    /// A number is true unless it is 0. A string is true if it begins, after white space, signs and zeros, with one of
    /// `Y`, `y`, `T`, `t` and `1` to `9`.
    public func bool(forKey key: String) -> Bool {
        switch value(forKey: key) {
        case .boolean(let flag): flag
        case .integer(let number): number != 0
        case .real(let number): number != 0
        case .string(let text): isTrue(text)
        default: false
        }
    }

    /// The value as an `Int`; 0 if there is no number.
    ///
    /// Fractions are cut off. A number that is too large becomes the largest `Int`. A string counts as the number
    /// that it begins with.
    public func integer(forKey key: String) -> Int {
        switch value(forKey: key) {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): Int(exactly: number) ?? (number < 0 ? .min : .max)
        case .real(let number): wholeNumber(number)
        case .string(let text): (text as NSString).integerValue
        default: 0
        }
    }

    /// The value as a `Double`; 0 if there is no number. A string counts as the number that it begins with.
    public func double(forKey key: String) -> Double {
        switch value(forKey: key) {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .real(let number): number
        case .string(let text): (text as NSString).doubleValue
        default: 0
        }
    }

    /// ``double(forKey:)`` as the nearest `Float`.
    public func float(forKey key: String) -> Float { Float(double(forKey: key)) }

    /// The string as a URL. A string without a scheme is the path of a file, in which `~` is the user's home folder.
    public func url(forKey key: String) -> URL? {
        guard case .string(let text) = value(forKey: key) else { return nil }
        if let url = URL(string: text), url.scheme != nil { return url }
        return URL(fileURLWithPath: (text as NSString).expandingTildeInPath)
    }
}

// MARK: - Geometry

extension SettingsSuite {
    /// The number; 0 if there is none.
    public func cgFloat(forKey key: String) -> CGFloat { convertible(forKey: key) ?? 0 }

    /// The point; the origin if there is none.
    public func cgPoint(forKey key: String) -> CGPoint { convertible(forKey: key) ?? .zero }

    /// The size; the empty size if there is none.
    public func cgSize(forKey key: String) -> CGSize { convertible(forKey: key) ?? .zero }

    /// The rectangle; the empty rectangle at the origin if there is none.
    public func cgRect(forKey key: String) -> CGRect { convertible(forKey: key) ?? .zero }

    /// The transform; the identity if there is none.
    public func affineTransform(forKey key: String) -> AffineTransform {
        convertible(forKey: key) ?? .identity
    }
}

// MARK: - Values of a type

extension SettingsSuite {
    /// The value with the stored raw value; nil if there is none.
    public func rawRepresentable<Value: RawRepresentable>(forKey key: String) -> Value?
    where Value.RawValue: PropertyListConvertible {
        value(forKey: key).flatMap { try? RawValueCoding<Value>().adapted(to: self).decode($0) }
    }

    /// The value that is stored as JSON in `Data`, or in a JSON file as an object; nil if there is none of the type.
    public func decodable<Value: Codable>(forKey key: String) -> Value? {
        value(forKey: key).flatMap { try? JSONCoding<Value>().adapted(to: self).decode($0) }
    }

    /// The value of a type with a stored form of its own: a `CGRect`, a `UUID`, a type of yours. Nil if there is none.
    public func convertible<Value: PropertyListConvertible>(forKey key: String) -> Value? {
        value(forKey: key).flatMap { try? NativeCoding<Value>().adapted(to: self).decode($0) }
    }

    /// Stores the raw value.
    public func set<Value: RawRepresentable>(_ value: Value, forKey key: String)
    where Value.RawValue: PropertyListConvertible {
        set(value.rawValue as Any?, forKey: key)
    }

    /// Stores the value as JSON in `Data`, in a JSON file as an object. A value that can't be encoded is reported and changes nothing.
    public func set<Value: Codable>(encoding value: Value, forKey key: String) {
        do {
            set(try JSONCoding<Value>().adapted(to: self).encode(value), forKey: key)
        } catch {
            report(error, key)
        }
    }
}

// MARK: - Conversions

/// The value in its natural Swift type.
private func natural(_ value: PropertyListValue) -> Any {
    switch value {
    case .boolean(let flag): flag
    case .integer(let number): Int(exactly: number) as Any? ?? number.magnitude
    case .real(let number): number
    case .string(let text): text
    case .date(let date): date
    case .data(let data): data
    case .array(let elements): elements.map(natural)
    case .dictionary(let entries): entries.mapValues(natural)
    case .uid(let number): number
    case .null: NSNull()
    case .number(let spelling): value.plainNumber.map(natural) ?? (Double(spelling) ?? .infinity)
    }
}

/// The value as a property list value; nil for a nil inside `Any`.
private func propertyListValue(_ value: Any, depth: Int = 1) throws -> PropertyListValue? {
    if _openExistential(value, do: isNilValue) { return nil }
    if depth > PropertyListLimits.standard.depth {
        throw ConversionError("arrays and dictionaries are nested more than \(depth - 1) deep")
    }
    func element(_ value: Any) throws -> PropertyListValue {
        if let value = try propertyListValue(value, depth: depth + 1) { return value }
        throw ConversionError("an array or a dictionary can't contain nil")
    }
    switch value {
    case let value as any PropertyListConvertible: return try value.propertyListValue()
    case let value as any RawRepresentable where value.rawValue is any PropertyListConvertible:
        return try element(value.rawValue)
    case let value as any Encodable: return .data(try json(of: value))
    case let list as [Any]: return .array(try list.map(element))
    case let entries as [String: Any]: return .dictionary(try entries.mapValues(element))
    case let number as NSNumber: return propertyListValue(of: number)
    case let text as String: return .string(text)
    case let date as Date: return .date(date)
    case let data as Data: return .data(data)
    case let url as URL: return .string(url.absoluteString)
    default: throw ConversionError("a property list can't contain a value of type \(type(of: value))")
    }
}

private func propertyListValue(of number: NSNumber) -> PropertyListValue {
    switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "c") where number.intValue == 0 || number.intValue == 1: .boolean(number.boolValue)
    case UInt8(ascii: "f"), UInt8(ascii: "d"): .real(number.doubleValue)
    case UInt8(ascii: "Q"): .integer(PropertyListInteger(number.uint64Value))
    default: .integer(PropertyListInteger(number.int64Value))
    }
}

private func isTrue(_ text: String) -> Bool {
    let first = text.unicodeScalars.first {
        !$0.properties.isWhitespace && !"+-0".unicodeScalars.contains($0)
    }
    return first.map { "YyTt123456789".unicodeScalars.contains($0) } ?? false
}

private func wholeNumber(_ number: Double) -> Int {
    if number.isNaN { return 0 }
    return Int(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
}
