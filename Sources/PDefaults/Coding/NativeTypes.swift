import FoundationEssentials
import PropertyList

// The types that property lists have themselves. A number is read from any kind of number with exactly the same value,
// as Foundation does; `Bool` is also read from 0 and 1.

extension Bool: PropertyListConvertible {
    public func propertyListForm() -> PropertyListValue { .boolean(self) }

    public init?(propertyListForm form: PropertyListValue) {
        switch form {
        case .boolean(let value): self = value
        case .integer(0): self = false
        case .integer(1): self = true
        default: return nil
        }
    }
}

extension PropertyListConvertible where Self: FixedWidthInteger {
    /// - Throws: if the number is outside `Int64.min...UInt64.max`.
    public func propertyListForm() throws -> PropertyListValue {
        guard let integer = PropertyListInteger(exactly: self) else {
            throw ConversionError("\(self) is outside of \(Int64.min)…\(UInt64.max)")
        }
        return .integer(integer)
    }

    public init?(propertyListForm form: PropertyListValue) {
        switch form {
        case .integer(let value): self.init(exactly: value)
        case .real(let value): self.init(exactly: value)
        default: return nil
        }
    }
}

extension Int: PropertyListConvertible {}
extension Int8: PropertyListConvertible {}
extension Int16: PropertyListConvertible {}
extension Int32: PropertyListConvertible {}
extension Int64: PropertyListConvertible {}
extension UInt: PropertyListConvertible {}
extension UInt8: PropertyListConvertible {}
extension UInt16: PropertyListConvertible {}
extension UInt32: PropertyListConvertible {}
extension UInt64: PropertyListConvertible {}

extension Double: PropertyListConvertible {
    public func propertyListForm() -> PropertyListValue { .real(self) }

    public init?(propertyListForm form: PropertyListValue) {
        switch form {
        case .real(let value): self = value
        case .integer(let value): self.init(value)
        default: return nil
        }
    }
}

extension Float: PropertyListConvertible {
    public func propertyListForm() -> Double { Double(self) }

    /// The nearest number of this type; nil if only that is infinite.
    public init?(propertyListForm form: Double) {
        self.init(form)
        if isInfinite && form.isFinite { return nil }
    }
}

extension String: PropertyListConvertible {
    public func propertyListForm() -> PropertyListValue { .string(self) }

    public init?(propertyListForm form: PropertyListValue) {
        guard case .string(let value) = form else { return nil }
        self = value
    }
}

extension Date: PropertyListConvertible {
    public func propertyListForm() -> PropertyListValue { .date(self) }

    public init?(propertyListForm form: PropertyListValue) {
        guard case .date(let value) = form else { return nil }
        self = value
    }
}

extension Data: PropertyListConvertible {
    public func propertyListForm() -> PropertyListValue { .data(self) }

    public init?(propertyListForm form: PropertyListValue) {
        guard case .data(let value) = form else { return nil }
        self = value
    }
}

extension Array: PropertyListConvertible where Element: PropertyListConvertible {
    /// - Throws: if an element can't be stored. An array in a property list can't contain nil; a property stores
    ///   such an array as JSON.
    public func propertyListForm() throws -> PropertyListValue {
        .array(try map { try $0.propertyListValue() })
    }

    public init?(propertyListForm form: PropertyListValue) {
        guard case .array(let elements) = form else { return nil }
        self.init()
        reserveCapacity(elements.count)
        for element in elements {
            guard let element = Element.make(from: element) else { return nil }
            append(element)
        }
    }
}

extension Dictionary: PropertyListConvertible where Key == String, Value: PropertyListConvertible {
    /// - Throws: if a value can't be stored. A dictionary in a property list can't contain nil; a property
    ///   stores such a dictionary as JSON.
    public func propertyListForm() throws -> PropertyListValue {
        .dictionary(try mapValues { try $0.propertyListValue() })
    }

    public init?(propertyListForm form: PropertyListValue) {
        guard case .dictionary(let entries) = form else { return nil }
        self.init(minimumCapacity: entries.count)
        for (key, entry) in entries {
            guard let value = Value.make(from: entry) else { return nil }
            self[key] = value
        }
    }
}

extension Optional: PropertyListConvertible where Wrapped: PropertyListConvertible {
    /// - Throws: if it is nil, which a property list can't contain.
    public func propertyListForm() throws -> PropertyListValue {
        guard let self else { throw NilInside() }
        return try self.propertyListValue()
    }

    public init?(propertyListForm form: PropertyListValue) {
        if form == .null {
            self = .none
            return
        }
        guard let value = Wrapped.make(from: form) else { return nil }
        self = value
    }
}
