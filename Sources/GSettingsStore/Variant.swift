// A key of GSettings has one of GVariant's types, of which there is no end, and property lists have eight kinds. Kinds that
// both have are converted, so that every command and the editor work with them. Everything else is shown and edited as
// GVariant text, as `gsettings` prints it. Without the text, such keys could not be changed at all.

#if GSettings
import CGio
import FoundationEssentials
import PropertyList

/// A value of GLib.
///
/// Unchecked: it never changes, and its references are counted atomically.
final class Variant: @unchecked Sendable, Equatable {
    let pointer: OpaquePointer

    /// - Parameter pointer: a reference that the caller gives up, or a new value.
    init(_ pointer: OpaquePointer) { self.pointer = g_variant_take_ref(pointer) }

    /// Makes a value of others, which exist until GLib has references of its own.
    convenience init(of parts: [Variant], _ make: ([OpaquePointer?]) -> OpaquePointer) {
        self.init(withExtendedLifetime(parts) { make(parts.map(\.pointer)) })
    }

    deinit { g_variant_unref(pointer) }

    static func == (a: Variant, b: Variant) -> Bool {
        withExtendedLifetime((a, b)) {
            g_variant_equal(UnsafeRawPointer(a.pointer), UnsafeRawPointer(b.pointer)) != 0
        }
    }

    /// Reads GVariant text.
    convenience init(parsing text: String, as type: String) throws(VariantProblem) {
        var error: UnsafeMutablePointer<GError>?
        let pointer = type.withCString { type in g_variant_parse(OpaquePointer(type), text, nil, nil, &error)
        }
        if let pointer {
            self.init(pointer)
            return
        }
        defer { if let error { g_error_free(error) } }
        let reason = error.flatMap(\.pointee.message).map { String(cString: $0) } ?? "it has another type"
        throw VariantProblem("it is not GVariant text of the type “\(type)”: \(reason)")
    }

    /// The value as GVariant text, with its type where the text alone would leave that open: `@a(ss) []`.
    var text: String {
        guard let text = g_variant_print(pointer, 1) else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    var type: String { String(cString: g_variant_get_type_string(pointer)) }

    var children: [Variant] {
        (0..<g_variant_n_children(pointer)).map { Variant(g_variant_get_child_value(pointer, $0)) }
    }

    fileprivate var string: String {
        var length = 0
        guard let start = g_variant_get_string(pointer, &length) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: length)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Why a key can't have a value: a sentence without its full stop.
struct VariantProblem: Error {
    let text: String

    init(_ text: String) { self.text = text }
}

/// The type of a key's values, as property lists see it.
indirect enum VariantType: Sendable, Hashable {
    case boolean, real, data
    /// One of the eight types of integers, by GVariant's letter for it.
    case integer(Character)
    /// A string, an object path or a signature.
    case string(Character)
    case array(of: VariantType)
    /// A dictionary whose keys are strings.
    case dictionary(of: VariantType)
    /// A value of any type, together with its type.
    case anything
    /// Has no counterpart among property lists.
    case text

    init(_ type: some StringProtocol) {
        switch type.first {
        case _ where type == "ay": self = .data
        case "b": self = .boolean
        case "d": self = .real
        case "v": self = .anything
        case let letter? where type.count == 1 && "ynqiuxth".contains(letter): self = .integer(letter)
        case let letter? where type.count == 1 && "sog".contains(letter): self = .string(letter)
        case "a" where type.hasPrefix("a{s"):
            let member = VariantType(type.dropFirst(3).dropLast())
            self = member == .text ? .text : .dictionary(of: member)
        case "a":
            let element = VariantType(type.dropFirst())
            self = element == .text ? .text : .array(of: element)
        default: self = .text
        }
    }

    /// The type in GVariant's letters, which only ``text`` has not.
    private var letters: String {
        switch self {
        case .boolean: "b"
        case .real: "d"
        case .data: "ay"
        case .integer(let letter), .string(let letter): String(letter)
        case .array(let element): "a" + element.letters
        case .dictionary(let member): "a{s\(member.letters)}"
        case .anything, .text: "v"
        }
    }
}

// MARK: - From GVariant

extension VariantType {
    /// The value as a property list; as GVariant text if it can't be one.
    func value(of variant: Variant) -> PropertyListValue { converted(variant) ?? .string(variant.text) }

    /// nil if the value can't be a property list that becomes the same value again.
    private func converted(_ variant: Variant) -> PropertyListValue? {
        let pointer = variant.pointer
        defer { withExtendedLifetime(variant) {} }
        switch self {
        case .boolean: return .boolean(g_variant_get_boolean(pointer) != 0)
        case .real: return .real(g_variant_get_double(pointer))
        case .string: return .string(variant.string)
        case .integer(let letter): return .integer(Self.integer(pointer, letter))
        case .data:
            var count = 0
            let bytes = g_variant_get_fixed_array(pointer, &count, 1)
            return .data(Data(UnsafeRawBufferPointer(start: bytes, count: count)))
        case .array(let element):
            let elements = variant.children.map(element.converted)
            return elements.contains(nil) ? nil : .array(elements.compactMap(\.self))
        case .dictionary(let member):
            var members: [String: PropertyListValue] = [:]
            for entry in variant.children.map(\.children) {
                // GVariant allows a key twice.
                guard let value = member.converted(entry[1]),
                    members.updateValue(value, forKey: entry[0].string) == nil
                else { return nil }
            }
            return .dictionary(members)
        case .anything:
            let inner = Variant(g_variant_get_variant(pointer))
            let type = VariantType(inner.type)
            if let value = type.converted(inner),
                (try? variantOfAnything(value, levels: Self.depth)) == variant
            {
                return value
            }
            return .string(variant.text)
        case .text: return nil
        }
    }

    private static func integer(_ pointer: OpaquePointer, _ letter: Character) -> PropertyListInteger {
        switch letter {
        case "y": PropertyListInteger(Int64(g_variant_get_byte(pointer)))
        case "n": PropertyListInteger(Int64(g_variant_get_int16(pointer)))
        case "q": PropertyListInteger(Int64(g_variant_get_uint16(pointer)))
        case "i": PropertyListInteger(Int64(g_variant_get_int32(pointer)))
        case "u": PropertyListInteger(Int64(g_variant_get_uint32(pointer)))
        case "h": PropertyListInteger(Int64(g_variant_get_handle(pointer)))
        case "t": PropertyListInteger(g_variant_get_uint64(pointer))
        default: PropertyListInteger(g_variant_get_int64(pointer))
        }
    }
}

// MARK: - To GVariant

extension VariantType {
    /// GVariant refuses values that are nested deeper than 128 levels, and a level of ours is two of GVariant's.
    private static let depth = 60

    /// The property list as a value of this type, whose letters are `type`. A string is also read as GVariant text.
    func variant(of value: PropertyListValue, type: String) throws(VariantProblem) -> Variant {
        if case .string(let text) = value, !isString {
            return try Variant(parsing: text, as: type)
        }
        return try variant(of: value, levels: Self.depth)
    }

    private var isString: Bool {
        switch self {
        case .string, .anything: true
        default: false
        }
    }

    private func variant(
        of value: PropertyListValue,
        levels: Int
    ) throws(VariantProblem) -> Variant {
        if levels == 0 { throw VariantProblem("it is nested too deeply") }
        switch (self, value) {
        case (.anything, _): return try variantOfAnything(value, levels: levels)
        case (.boolean, .boolean(let flag)): return Variant(g_variant_new_boolean(flag ? 1 : 0))
        case (.boolean, .integer(let number)) where number == 0 || number == 1:
            return Variant(g_variant_new_boolean(number == 1 ? 1 : 0))
        case (.real, .real(let number)): return Variant(g_variant_new_double(number))
        case (.real, .integer(let number)): return Variant(g_variant_new_double(Double(number)))
        case (.integer(let letter), .integer(let number)): return try Self.variant(of: number, letter)
        case (.integer(let letter), .real(let number)):
            guard let whole = Int64(exactly: number) else { throw VariantProblem("it is not a whole number") }
            return try Self.variant(of: PropertyListInteger(whole), letter)
        case (.string(let letter), .string(let text)): return try Self.variant(of: text, letter)
        case (.data, .data(let data)):
            return data.withUnsafeBytes { bytes in
                "y".withCString {
                    Variant(g_variant_new_fixed_array(OpaquePointer($0), bytes.baseAddress, bytes.count, 1))
                }
            }
        case (.array(let element), .array(let values)):
            var elements: [Variant] = []
            for value in values { elements.append(try element.variant(of: value, levels: levels - 1)) }
            return Self.array(elements, of: element.letters)
        case (.dictionary(let member), .dictionary(let values)):
            var entries: [Variant] = []
            for (key, value) in values.sorted(by: { $0.key < $1.key }) {
                let (key, value) = (
                    try Self.variant(of: key, "s"), try member.variant(of: value, levels: levels - 1)
                )
                entries.append(Variant(of: [key, value]) { g_variant_new_dict_entry($0[0], $0[1]) })
            }
            return Self.array(entries, of: "{s\(member.letters)}")
        default: throw VariantProblem("found a value of kind \(value.kind)")
        }
    }

    /// A value together with its type. A string that is the text of such a value, `<uint32 5>` for example, becomes that
    /// value.
    private func variantOfAnything(
        _ value: PropertyListValue,
        levels: Int
    ) throws(VariantProblem) -> Variant {
        let type: VariantType
        switch value {
        case .boolean: type = .boolean
        case .integer(let number): type = .integer(Int64(exactly: number) == nil ? "t" : "x")
        case .real: type = .real
        case .string(let text):
            if text.hasPrefix("<"), let value = try? Variant(parsing: text, as: "v") { return value }
            type = .string("s")
        case .data: type = .data
        case .array: type = .array(of: .anything)
        case .dictionary: type = .dictionary(of: .anything)
        case .date, .uid, .null, .number:
            throw VariantProblem("GSettings has no values of kind \(value.kind)")
        }
        let inner = try type.variant(of: value, levels: levels - 1)
        return Variant(of: [inner]) { g_variant_new_variant($0[0]) }
    }

    private static func variant(
        of number: PropertyListInteger,
        _ letter: Character
    ) throws(VariantProblem) -> Variant {
        func fitted<Number: FixedWidthInteger>(
            _ make: (Number) -> OpaquePointer?
        ) throws(VariantProblem) -> Variant {
            guard let fitting = Number(exactly: number), let pointer = make(fitting) else {
                throw VariantProblem("\(number) is not within \(Number.min) to \(Number.max)")
            }
            return Variant(pointer)
        }
        switch letter {
        case "y": return try fitted(g_variant_new_byte)
        case "n": return try fitted(g_variant_new_int16)
        case "q": return try fitted(g_variant_new_uint16)
        case "i": return try fitted(g_variant_new_int32)
        case "u": return try fitted(g_variant_new_uint32)
        case "h": return try fitted(g_variant_new_handle)
        case "t": return try fitted(g_variant_new_uint64)
        default: return try fitted(g_variant_new_int64)
        }
    }

    private static func variant(of text: String, _ letter: Character) throws(VariantProblem) -> Variant {
        if text.utf8.contains(0) { throw VariantProblem("GSettings has no NUL characters") }
        switch letter {
        case "o" where g_variant_is_object_path(text) != 0: return Variant(g_variant_new_object_path(text))
        case "o": throw VariantProblem("it is not an object path, such as /org/example/Name")
        case "g" where g_variant_is_signature(text) != 0: return Variant(g_variant_new_signature(text))
        case "g": throw VariantProblem("it is not a signature of D-Bus types, such as a{sv}")
        default: return Variant(g_variant_new_string(text))
        }
    }

    private static func array(_ elements: [Variant], of type: String) -> Variant {
        Variant(of: elements) { pointers in
            type.withCString { g_variant_new_array(OpaquePointer($0), pointers, pointers.count) }
        }
    }
}
#endif
