public import FoundationEssentials

// The declared settings of a suite move along when the suite is copied, renamed or removed. Without that, the new suite
// would have lost the descriptions and limits of its settings.

/// The declared settings of a suite as stored text.
public struct StoredSchema: Sendable {
    /// The bytes, usually a JSON Schema.
    public let text: Data
    /// The mode of the file; nil for other backends.
    public let mode: UInt32?

    public init(_ text: Data, mode: UInt32? = nil) {
        self.text = text
        self.mode = mode
    }
}

/// The fate of the declared settings of a suite that was copied, renamed or removed.
public enum MovedDeclarations: Sendable, Hashable {
    /// The declarations moved along, or there are none.
    case moved
    /// The new suite had the same ones already.
    case same
    /// The new suite has different ones, which do not change.
    case different
    /// The declarations stay with the old suite, for this reason.
    case failed(String)
}

extension SettingsSuite {
    /// Whether both suites store their declarations in the same file, as two links to one suite do.
    private func sharesSchema(with other: SettingsSuite) -> Bool {
        schemaPlace.map { $0.location == other.schemaPlace?.location } ?? false
    }

    /// Copies the declarations of another suite, if this one has none.
    func takeOverDeclarations(of other: SettingsSuite) -> MovedDeclarations {
        guard let place = schemaPlace, let model = other.schemaPlace, !sharesSchema(with: other) else {
            return .moved
        }
        do throws(SettingsError) {
            guard let schema = try model.stored() else { return .moved }
            if try place.make(schema) { return .moved }
            return try place.stored()?.text == schema.text ? .same : .different
        } catch {
            return .failed("\(error)")
        }
    }

    /// Removes the declarations of this suite, if another one has the same.
    func giveUpDeclarations(alsoOf other: SettingsSuite) -> MovedDeclarations {
        guard let place = schemaPlace, let model = other.schemaPlace, !sharesSchema(with: other) else {
            return .moved
        }
        do throws(SettingsError) {
            guard try place.stored() != nil else { return .moved }
            guard let schema = try model.stored() else { return .different }
            return try place.remove(schema) ? .moved : .different
        } catch {
            return .failed("\(error)")
        }
    }
}
