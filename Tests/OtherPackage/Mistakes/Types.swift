import PDefaults

// Programs that must not compile, with what the compiler has to say.

struct Plain {
    var a = 1
}

enum Bare { case a, b }

enum Lettered: Character { case a = "a" }

final class Handle {}

func unstorable() {
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("plain") var plain = Plain()
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("plain", defaultValue: Plain()) var other: Plain
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("bare") var bare = Bare.a
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("lettered") var lettered = Lettered.a
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("handle") var handle = Handle()
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("maybe") var maybe: Plain? = Plain()
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("nothing") var nothing: Plain?
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("list") var list: [Plain] = []
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("entries") var entries: [String: Plain] = [:]
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("action") var action: () -> Void = {}
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("mixed") var mixed: [String: Any] = [:]
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("maybe") var maybeMixed: [String: Any]?
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("maybe") var startingMixed: [String: Any]? = [:]
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("maybe") var maybeAny: [Any]?
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("any") var any: [Any] = []
}

enum Look: String { case light, dark }

func rawValuesInside() {
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("looks") var looks: [Look] = []
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("set") var set: Set<Look> = []
    // expected-error@+1 {{This type can't be stored. Make it Codable to keep it as JSON, give it a raw value, or conform it to PropertyListConvertible. In a list, set or dictionary, a raw value is not enough, and values of mixed kinds are PropertyListValue instead of Any. Without a key, a property of any type lives in memory alone.}}
    @PDefaults("entries") var entries: [String: Look] = [:]
}

func withoutDefault() {
    // expected-error@+1 {{Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible.}}
    @PDefaults("count") var count: Int
    // expected-error@+1 {{Give the property a value to start from, or make it an optional of a type that can be stored: one that is Codable, has a raw value, or conforms to PropertyListConvertible.}}
    @PDefaults("plain") var plain: Plain
}
