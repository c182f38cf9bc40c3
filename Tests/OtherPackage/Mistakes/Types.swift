import PDefaults

// Programs that must not compile, with what the compiler has to say.

struct Plain {
    var a = 1
}

enum Bare { case a, b }

enum Lettered: Character { case a = "a" }

final class Handle {}

func unstorable() {
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("plain") var plain = Plain()
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("plain", defaultValue: Plain()) var other: Plain
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("bare") var bare = Bare.a
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("lettered") var lettered = Lettered.a
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("handle") var handle = Handle()
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("maybe") var maybe: Plain? = Plain()
    // expected-error@+1 {{Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible.}}
    @PDefaults("nothing") var nothing: Plain?
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("list") var list: [Plain] = []
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("entries") var entries: [String: Plain] = [:]
    // expected-error@+1 {{This type can't be stored: make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("action") var action: () -> Void = {}
    // expected-error@+1 {{Write [String: PropertyListValue] for values of mixed kinds.}}
    @PDefaults("mixed") var mixed: [String: Any] = [:]
    // expected-error@+1 {{Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible.}}
    @PDefaults("maybe") var maybeMixed: [String: Any]?
    // expected-error@+1 {{Write [PropertyListValue] for values of mixed kinds.}}
    @PDefaults("any") var any: [Any] = []
}

func withoutDefault() {
    // expected-error@+1 {{Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible.}}
    @PDefaults("count") var count: Int
    // expected-error@+1 {{Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible.}}
    @PDefaults("plain") var plain: Plain
}
