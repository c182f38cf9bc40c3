import PropertyList
import SettingsEditor
import SettingsStore

/// Reads suites of a place that nobody has open, one after the other, without keeping them.
struct PassingReader {
    private let place: any SuitePlace
    /// The place, with what many suites hold read at once where that is quicker.
    private let many: any SuitePlace
    /// Nobody answers, so that there is what was left here, if anything.
    private var isOutOfReach = false

    /// Fewer are asked for one by one.
    private static let leastAtOnce = 10

    /// - Parameter suites: how many are to be read.
    init(_ place: any SuitePlace, suites: Int) {
        self.place = place
        many = suites < Self.leastAtOnce ? place : place.readAtOnce()
    }

    mutating func read(_ id: String) -> EditorAction {
        guard let name = try? SuiteName(id) else {
            return .read(id, values: PropertyListEntries(), SuiteSchema())
        }
        if !isOutOfReach {
            var storage = many.storage(of: name)
            var (schema, problem) = (SuiteSchema(), String?.none)
            do throws(SettingsError) {
                (schema, problem) = try declared(in: storage.schemaPlace)
                var values = PropertyListEntries()
                try storage.read().apply(to: &values)
                return .read(id, values: values, schema, problem: problem)
            } catch {
                if !error.isUnfinished { isOutOfReach = error.isOutage }
                // What is declared is known all the same.
                if !isOutOfReach { return nothing(of: id, schema, problem: problem, error) }
            }
        }
        let suite = place.suite(name)
        do throws(SettingsError) {
            let (schema, problem) = try declared(in: suite.schemaPlace)
            return .read(id, values: suite.storedEntries, schema, problem: problem)
        } catch {
            return nothing(of: id, SuiteSchema(), problem: "\(error)", error)
        }
    }

    private func nothing(
        of id: String,
        _ schema: SuiteSchema,
        problem: String?,
        _ error: SettingsError
    ) -> EditorAction {
        .read(id, values: PropertyListEntries(), schema, problem: problem, unreadable: error.reason)
    }

    /// What is declared, or why that can't be read though somebody answers.
    private func declared(
        in place: (any SchemaPlace)?
    ) throws(SettingsError) -> (schema: SuiteSchema, problem: String?) {
        do throws(SettingsError) {
            return (try place?.read() ?? SuiteSchema(), nil)
        } catch {
            if error.isOutage { throw error }
            return (SuiteSchema(), "\(error)")
        }
    }
}
