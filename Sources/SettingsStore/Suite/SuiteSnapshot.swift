import PropertyList

/// The values of a suite at one moment, without the defaults.
package struct SuiteSnapshot: Sendable {
    /// The values of process arguments.
    package let arguments: [String: PropertyListValue]
    package let stored: PropertyListEntries
    /// The values of the other layers' files.
    package let layers: LayerValues
    /// Why the content could not be read when it was last needed; nil if it could.
    package let contentError: SettingsError?
    /// Whether the content was read with success before.
    package let hasBeenRead: Bool
    /// The number of the last change (``Change/sequence``). Snapshots with the same number have the same values.
    package let lastChange: UInt64

    /// One layer, and a function that looks a key up in it.
    package struct Lookup {
        package let layer: SettingsLayer
        package let value: (String) -> PropertyListValue?
    }

    /// The layers that have values, the highest first.
    package var lookups: [Lookup] {
        let stored = stored
        let arguments = arguments
        var lookups = layers.files.map { file in Lookup(layer: file.layer) { key in file.values[key] } }
        func insert(_ lookup: Lookup) {
            let index = lookups.firstIndex { $0.layer < lookup.layer } ?? lookups.endIndex
            lookups.insert(lookup, at: index)
        }
        if !arguments.isEmpty { insert(Lookup(layer: .arguments) { key in arguments[key] }) }
        insert(Lookup(layer: .user) { key in stored[key] })
        return lookups
    }
}

extension SettingsSuite {
    /// All values of one moment. The first use of the suite reads its file.
    package var snapshot: SuiteSnapshot {
        core.withLoadedState { state in
            SuiteSnapshot(
                arguments: state.values.arguments,
                stored: state.values.stored,
                layers: state.values.layers,
                contentError: state.values.contentError,
                hasBeenRead: state.values.hasBeenRead,
                lastChange: state.observers.lastSequence
            )
        }
    }

    /// Adopts foreign changes now. It stores nothing, and waits for a commit that is using the storage.
    package func refresh() {
        core.readLayers()
        core.readInBackground()
    }
}
