import PropertyList
import SettingsStore

/// Stores values in a JSON file: dates and data as texts, a `Codable` value as an object that people can read.
///
/// It converts what the type's own coding makes, so that each type has one coding and not one for each format.
struct JSONFormCoding<Base: ValueCoding>: ValueCoding {
    let base: Base

    var shape: ValueShape { base.shape.inJSON }

    var cases: [SettingCase] {
        base.cases.compactMap { entry in
            (try? base.shape.jsonForm(of: entry.value)).map { SettingCase($0, title: entry.title) }
        }
    }

    var forPropertyLists: any ValueCoding<Base.Value> { base }

    func encode(_ value: Base.Value) throws -> PropertyListValue {
        try base.shape.jsonForm(of: base.encode(value))
    }

    func decode(_ stored: PropertyListValue) throws -> Base.Value {
        try base.decode(base.shape.value(ofJSONForm: stored))
    }
}

extension ValueCoding {
    var forPropertyLists: any ValueCoding<Value> { self }

    /// The coding for the file of a suite.
    func adapted(to suite: SettingsSuite) -> any ValueCoding<Value> {
        func json<Base: ValueCoding<Value>>(_ base: Base) -> any ValueCoding<Value> {
            JSONFormCoding(base: base)
        }
        let base = forPropertyLists
        return suite.storesJSON ? json(base) : base
    }
}
