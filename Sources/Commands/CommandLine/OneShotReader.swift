import PropertyList
import SettingsEditor
import SettingsStore

/// Reads suites for the editor's search without opening them.
///
/// Opening a suite starts a watch and keeps its values, which is too expensive for hundreds of suites. So
/// each suite is read once and forgotten.
struct OneShotReader {
    private let backend: any SuiteBackend
    /// Whether no server answered. Then only local copies are read.
    private var isOutOfReach = false

    /// Prepares to read suites of a folder or cluster.
    init(_ backend: any SuiteBackend) { self.backend = backend }

    /// - Parameter id: The suite's id in the editor, for the event; nil if it is the name.
    mutating func read(_ name: String, as id: String? = nil) -> StoreEvent {
        let id = id ?? name
        guard let name = try? backend.suiteName(name) else {
            return .read(id, values: PropertyListEntries(), SuiteSchema())
        }
        if !isOutOfReach {
            var storage = backend.storage(of: name)
            var (schema, problem) = (SuiteSchema(), String?.none)
            do throws(SettingsError) {
                (schema, problem) = try declared(in: storage.schemaPlace)
                var values = PropertyListEntries()
                try storage.read().apply(to: &values)
                let others = SuiteTarget(name, in: backend).otherLayers()
                for key in others.keys { values[key] = others.source(of: key, user: values[key])?.value }
                return .read(id, values: values, schema, problem: problem)
            } catch {
                isOutOfReach = error.isOutage
                // The declarations are known even if the values cannot be read.
                if !isOutOfReach { return nothing(of: id, schema, problem: problem, error) }
            }
        }
        let suite = backend.suite(name)
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
    ) -> StoreEvent {
        .read(id, values: PropertyListEntries(), schema, problem: problem, unreadable: error.reason)
    }

    /// Reads the declarations, or returns why they cannot be read. Throws only if no server answers.
    private func declared(
        in backend: (any SchemaStore)?
    ) throws(SettingsError) -> (schema: SuiteSchema, problem: String?) {
        do throws(SettingsError) {
            return (try backend?.read() ?? SuiteSchema(), nil)
        } catch {
            if error.isOutage { throw error }
            return (SuiteSchema(), "\(error)")
        }
    }
}
