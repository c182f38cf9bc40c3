#if Configuration
import Configuration
import FoundationEssentials
import PropertyList

extension PropertyListValue {
    /// The value as swift-configuration needs it; nil if it has no such form.
    ///
    /// The conversions are those of properties: a number is read from any kind of number with the same value, and a
    /// boolean also from 0 and 1. A date is a string in the form that swift-configuration reads dates from.
    ///
    /// - Parameter isArgument: whether the value is a process argument, in which numbers, booleans and data are strings.
    func content(as type: ConfigType, isArgument: Bool) -> ConfigContent? {
        let value = isArgument ? typed(as: type) : self
        return switch type {
        case .string: value.string.map(ConfigContent.string)
        case .int: value.int.map(ConfigContent.int)
        case .double: value.double.map(ConfigContent.double)
        case .bool: value.bool.map(ConfigContent.bool)
        case .bytes: value.bytes.map(ConfigContent.bytes)
        case .stringArray: value.elements(\.string).map(ConfigContent.stringArray)
        case .intArray: value.elements(\.int).map(ConfigContent.intArray)
        case .doubleArray: value.elements(\.double).map(ConfigContent.doubleArray)
        case .boolArray: value.elements(\.bool).map(ConfigContent.boolArray)
        case .byteChunkArray: value.elements(\.bytes).map(ConfigContent.byteChunkArray)
        }
    }

    /// The value of a process argument, with text parsed as the type requires. Other text stays a string.
    private func typed(as type: ConfigType) -> PropertyListValue {
        let kind: Kind? =
            switch type {
            case .string, .stringArray: nil
            case .int, .intArray: .integer
            case .double, .doubleArray: .real
            case .bool, .boolArray: .boolean
            case .bytes, .byteChunkArray: .data
            }
        guard let kind else { return self }
        return switch self {
        case .string(let text): (try? PropertyListValue.parse(text, as: kind)) ?? self
        case .array(let elements):
            .array(
                elements.map { element in
                    guard case .string(let text) = element else { return element }
                    return (try? PropertyListValue.parse(text, as: kind)) ?? element
                }
            )
        default: self
        }
    }

    private var string: String? {
        switch self {
        case .string(let text): text
        case .date(let date): Self.text(of: date)
        default: nil
        }
    }

    /// swift-configuration reads no fractions of a second, so they are dropped. nil outside the years 1 to 9999.
    private static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let firstOfYear1 = -62_135_596_800.0
        let endOfYear9999 = 253_402_300_800.0
        guard firstOfYear1 <= seconds, seconds < endOfYear9999 else { return nil }
        return Date(timeIntervalSince1970: seconds).formatted(.iso8601)
    }

    private var int: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .real(let number): Int(exactly: number)
        default: nil
        }
    }

    private var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    private var bool: Bool? {
        switch self {
        case .boolean(let value): value
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }

    private var bytes: [UInt8]? { if case .data(let data) = self { [UInt8](data) } else { nil } }

    /// nil unless this is an array whose elements can all be converted.
    private func elements<Element>(_ convert: (PropertyListValue) -> Element?) -> [Element]? {
        guard case .array(let elements) = self else { return nil }
        let converted = elements.compactMap(convert)
        return converted.count == elements.count ? converted : nil
    }
}

extension PropertyListValue {
    /// Why ``content(as:isArgument:)`` returns nil. It names kinds only, because the value may be secret.
    func reasonNotToConvert(to type: ConfigType, isArgument: Bool) -> String {
        guard case .array(let elements) = self, let elementType = type.elementType,
            let index = elements.firstIndex(where: {
                $0.content(as: elementType, isArgument: isArgument) == nil
            })
        else { return "the value is of the type \(kind.rawValue) and can't be read as \(type.rawValue)" }
        return "element \(index) is of the type \(elements[index].kind.rawValue) and can't be read as "
            + elementType.rawValue
    }
}

extension ConfigType {
    /// The type of the elements; nil for a type that is no array.
    fileprivate var elementType: ConfigType? {
        switch self {
        case .stringArray: .string
        case .intArray: .int
        case .doubleArray: .double
        case .boolArray: .bool
        case .byteChunkArray: .bytes
        case .string, .int, .double, .bool, .bytes: nil
        }
    }
}
#endif
