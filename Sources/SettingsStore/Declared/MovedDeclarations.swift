public import FoundationEssentials

/// What is declared of a suite, as it is stored.
public struct StoredSchema: Sendable {
    /// JSON Schema, byte for byte, be it understood or not.
    public let text: Data
    /// Who may read it, where it is a file.
    public let mode: UInt32?

    public init(_ text: Data, mode: UInt32? = nil) {
        self.text = text
        self.mode = mode
    }
}

/// What has become of declarations that were to go along with a suite.
public enum MovedDeclarations: Sendable, Hashable {
    /// They did; or there are none.
    case moved
    /// The suite had the same ones already.
    case same
    /// The suite had, or has, others, which stay as they are.
    case different
    /// They stay where they are, for this reason.
    case failed(String)
}

extension SettingsSuite {
    /// Whether both have their declarations in one place, as two links to one file.
    private func isDeclaredWith(_ other: SettingsSuite) -> Bool {
        schemaPlace.map { $0.location == other.schemaPlace?.location } ?? false
    }

    /// Has what is declared of another suite be declared of this one, too, where nothing is.
    func takeOverDeclarations(of other: SettingsSuite) -> MovedDeclarations {
        guard let place = schemaPlace, let model = other.schemaPlace, !isDeclaredWith(other) else {
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

    /// Declares nothing any more of this suite where the same is declared of another one.
    func giveUpDeclarations(alsoOf other: SettingsSuite) -> MovedDeclarations {
        guard let place = schemaPlace, let model = other.schemaPlace, !isDeclaredWith(other) else {
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
