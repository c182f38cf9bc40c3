import Foundation
import PropertyList
import SettingsStore

// The shape of each type's stored form, for the schema of a suite.

extension PropertyListValue {
    public static var propertyListShape: ValueShape { .anything }
}

extension Bool {
    public static var propertyListShape: ValueShape { .boolean }
}

extension PropertyListConvertible where Self: FixedWidthInteger {
    /// The whole numbers of the type.
    public static var propertyListShape: ValueShape {
        .integer(Bounds(PropertyListInteger(exactly: Self.min), PropertyListInteger(exactly: Self.max)))
    }
}

extension Double {
    public static var propertyListShape: ValueShape { .real() }
}

extension String {
    public static var propertyListShape: ValueShape { .string() }
}

extension Date {
    public static var propertyListShape: ValueShape { .date() }
}

extension Data {
    public static var propertyListShape: ValueShape { .data }
}

extension Array where Element: PropertyListConvertible {
    public static var propertyListShape: ValueShape { .array(of: shapeInside(Element.self)) }
}

extension Dictionary where Key == String, Value: PropertyListConvertible {
    public static var propertyListShape: ValueShape { .dictionary(of: shapeInside(Value.self)) }
}

/// The shape of an element or a member. If it is optional, a nil makes the property store JSON, in which some types
/// have another shape.
private func shapeInside<Element: PropertyListConvertible>(_ type: Element.Type) -> ValueShape {
    guard type is any OptionalValue.Type else { return Element.propertyListShape }
    return .optional(looksTheSameInJSON(type) ? Element.propertyListShape : .anything)
}

private func looksTheSameInJSON(_ type: Any.Type) -> Bool {
    let types: [Any.Type] = [
        Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
        UInt16.self,
        UInt32.self, UInt64.self, Float.self, Double.self, String.self, Date.self, Data.self, URL.self,
        UUID.self,
    ]
    let type = unwrapped(type)
    if let collection = type as? any CollectionOfValues.Type {
        return looksTheSameInJSON(collection.typeOfValues)
    }
    return types.contains { $0 == type }
}

private protocol CollectionOfValues {
    static var typeOfValues: Any.Type { get }
}

extension Array: CollectionOfValues {
    fileprivate static var typeOfValues: Any.Type { Element.self }
}

extension Dictionary: CollectionOfValues {
    fileprivate static var typeOfValues: Any.Type { Value.self }
}

extension Optional where Wrapped: PropertyListConvertible {
    public static var propertyListShape: ValueShape { Wrapped.propertyListShape }
}

extension URL {
    public static var propertyListShape: ValueShape { .string(StringShape(format: .uri)) }
}

extension Decimal {
    public static var propertyListShape: ValueShape { .string() }
}

extension UUID {
    public static var propertyListShape: ValueShape { .string(StringShape(format: .uuid)) }
}

extension CGPoint {
    public static var propertyListShape: ValueShape { record(of: "x", "y") }
}

extension CGSize {
    public static var propertyListShape: ValueShape { record(of: "width", "height") }
}

extension CGRect {
    public static var propertyListShape: ValueShape {
        .record([
            "origin": ValueShape.Field(CGPoint.propertyListShape),
            "size": ValueShape.Field(CGSize.propertyListShape),
        ])
    }
}

extension CGFloat: RangedSetting {}

private func record(of names: String...) -> ValueShape {
    let fields = names.map { ($0, ValueShape.Field(.real())) }
    return .record(Dictionary(uniqueKeysWithValues: fields))
}

// MARK: - Cases

/// The cases of an enum that is `CaseIterable`. Empty for other types, and for more cases than a person can choose
/// from.
func knownCases<Value>(_ encode: (Value) throws -> PropertyListValue) -> [SettingCase] {
    guard let type = Value.self as? any CaseIterable.Type else { return [] }
    let limit = 256
    let values = firstCases(of: type, limit + 1).compactMap { $0 as? Value }
    if values.count > limit { return [] }
    let cases = values.compactMap { value in (try? encode(value)).map { settingCase(value, $0) } }
    return cases.count == values.count ? cases : []
}

private func firstCases<Enum: CaseIterable>(of type: Enum.Type, _ count: Int) -> [Any] {
    type.allCases.prefix(count).map { $0 }
}

/// A case, with its name as the title unless the stored form is the name.
func settingCase<Value>(_ value: Value, _ stored: PropertyListValue) -> SettingCase {
    var shown: Any = value
    while let optional = shown as? any OptionalValue, let content = optional.content { shown = content }
    let name = "\(shown)"
    return SettingCase(stored, title: stored.editText == name || name.isEmpty ? nil : name)
}
