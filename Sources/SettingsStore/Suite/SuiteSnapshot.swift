package import PropertyList

/// The values of a suite at one moment, without the defaults.
package struct SuiteSnapshot: Sendable {
    /// The values of process arguments. They come before the stored ones.
    package let arguments: [String: PropertyListValue]
    package let stored: PropertyListEntries
    /// Why the content could not be read when it was last needed; nil if it could.
    package let contentError: SettingsError?
    /// Whether the content was read with success before.
    package let hasBeenRead: Bool
    /// The number of the last change (``Change/sequence``). Snapshots with the same number have the same values.
    package let lastChange: UInt64
}

extension SettingsSuite {
    /// All values of one moment. The first use of the suite reads its file.
    package var snapshot: SuiteSnapshot {
        core.withLoadedState { state in
            SuiteSnapshot(
                arguments: state.values.arguments,
                stored: state.values.stored,
                contentError: state.values.contentError,
                hasBeenRead: state.values.hasBeenRead,
                lastChange: state.lastChange
            )
        }
    }

    /// Adopts foreign changes now. It stores nothing, and waits for a commit that is using the storage.
    package func refresh() { core.readInBackground() }
}
