import PropertyList
import SettingsStore

/// A type whose values a suite keeps in a form of their own, rather than as JSON.
///
/// A type of yours conforms by naming another conforming type to be stored as:
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

    /// The value in the form in which it is stored.
    ///
    /// - Throws: why this value can't be stored.
    func propertyListForm() throws -> PropertyListForm

    /// The value of a stored form; nil where it is none of this type.
    init?(propertyListForm form: PropertyListForm)

    /// What stored forms look like, for the schema that tells editors which values a setting takes. That
    /// of the form, unless a type says more.
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
    /// The form of the form, down to the property list's own values.
    func propertyListValue() throws -> PropertyListValue {
        let form = try propertyListForm()
        return try form as? PropertyListValue ?? form.propertyListValue()
    }

    static func make(from stored: PropertyListValue) -> Self? {
        if let same = stored as? PropertyListForm { return Self(propertyListForm: same) }
        return PropertyListForm.make(from: stored).flatMap(Self.init(propertyListForm:))
    }
}
