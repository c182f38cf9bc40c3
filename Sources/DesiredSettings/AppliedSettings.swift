import FoundationEssentials
import PropertyList

/// The settings of one name of `pdefaults apply --as`, each with the value from before.
///
/// It is stored before the settings are, so that a killed process forgets nothing. A suite is written in one transaction. So
/// what is stored for a suite is both what holds before the transaction and what holds after it, and the suite's values tell
/// which of them counts.
package struct AppliedSettings: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// When the name has set it first.
        package var since: Date
        /// The value before the name set it; nil if there was none.
        package var before: PropertyListValue?
        /// The value that the name sets; nil if it deletes it.
        package var applied: PropertyListValue?

        package init(since: Date, before: PropertyListValue?, applied: PropertyListValue? = nil) {
            (self.since, self.before, self.applied) = (since, before, applied)
        }
    }

    /// The settings of a name in one suite.
    package struct Memory: Sendable, Hashable {
        package var entries: [SettingPath: Entry] = [:]
        /// The arrays and dictionaries that were made for settings inside them. They are removed when they are empty again.
        package var made: Set<SettingPath> = []

        package init() {}
    }

    /// A transaction that may have been interrupted.
    package struct Pending: Sendable, Hashable {
        /// The new values of the changed keys.
        package let values: [String: PropertyListValue?]
        package let memory: Memory

        package init(_ values: [String: PropertyListValue?], _ memory: Memory) {
            (self.values, self.memory) = (values, memory)
        }
    }

    package struct Suite: Sendable, Hashable {
        package var memory: Memory
        package var pending: Pending?
        /// Why the last run could not change the suite; nil if it could.
        package var failure: String?

        package init(_ memory: Memory = Memory(), pending: Pending? = nil) {
            (self.memory, self.pending) = (memory, pending)
        }

        /// Whether the name may have set anything.
        package var mayOwn: Bool { !memory.entries.isEmpty || pending != nil }

        /// The memory that is true if the suite has these values.
        package func memory(for stored: PropertyListEntries) -> Memory {
            guard let pending, pending.values.contains(where: { isSame(stored[$0.key], $0.value) }) else {
                return memory
            }
            return pending.memory
        }

        /// Everything that the name may have set.
        package var entries: [SettingPath: Entry] {
            memory.entries.merging(pending?.memory.entries ?? [:]) { mine, _ in mine }
        }
    }

    package var suites: [String: Suite] = [:]

    package init() {}

    package var isEmpty: Bool { suites.values.allSatisfy { !$0.mayOwn && $0.failure == nil } }
}
