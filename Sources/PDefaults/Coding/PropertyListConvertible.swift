import PropertyList
import SettingsStore

/// A type with a stored form of its own, instead of JSON.
///
/// A type of yours conforms by conversion to another conforming type:
///
/// ```swift
/// extension Temperature: PropertyListConvertible {
///     func propertyListForm() -> [String: Double] { ["celsius": celsius] }
///
///     init?(propertyListForm form: [String: Double]) {
///         guard let celsius = form["celsius"] else { return nil }
///         self.init(celsius: celsius)
///     }
/// }
/// ```
public protocol PropertyListConvertible {
    associatedtype PropertyListForm: PropertyListConvertible

    /// The stored form of the value.
    ///
    /// - Throws: why this value can't be stored.
    func propertyListForm() throws -> PropertyListForm

    /// Converts a stored form; nil if it is not a value of this type.
    init?(propertyListForm form: PropertyListForm)

    /// The shape of stored forms, for the schema that tells editors which values a setting accepts. By default the
    /// shape of `PropertyListForm`.
    static var propertyListShape: ValueShape { get }
}

extension PropertyListConvertible {
    public static var propertyListShape: ValueShape { PropertyListForm.propertyListShape }
}

extension PropertyListValue: PropertyListConvertible {
    public func propertyListForm() -> PropertyListValue { self }

    public init?(propertyListForm form: PropertyListValue) { self = form }
}

extension PropertyListConvertible {
    /// Converts the form, and its form in turn, down to a property list value.
    func propertyListValue() throws -> PropertyListValue {
        let form = try propertyListForm()
        // Both types are the same here. A cast at run time would take longer than the rest of the conversion.
        if PropertyListForm.self == PropertyListValue.self {
            return unsafeBitCast(form, to: PropertyListValue.self)
        }
        return try form.propertyListValue()
    }

    static func make(from stored: PropertyListValue) -> Self? {
        if let same = stored as? PropertyListForm { return Self(propertyListForm: same) }
        return PropertyListForm.make(from: stored).flatMap(Self.init(propertyListForm:))
    }
}
