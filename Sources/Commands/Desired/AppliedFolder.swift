import DesiredSettings
import FoundationEssentials
import Glibc
import PropertyList
import SettingsStore

/// The folder with the memory of `apply --as`: a file for each name, with what it has set and what was there before.
struct AppliedFolder {
    let path: String

    /// `pdefaults/applied` in `$XDG_STATE_HOME`, or in `~/.local/state` (XDG Base Directory Specification).
    static var standard: AppliedFolder {
        let variable = getenv("XDG_STATE_HOME").map { String(cString: $0) } ?? ""
        return AppliedFolder(
            path: SettingsFolder(path: variable.hasPrefix("/") ? variable : "~/.local/state").path
                + "/pdefaults/applied"
        )
    }

    /// The names that have a memory, sorted.
    func names() throws -> [String] {
        guard try LiveFileSystem().stat(path) != nil else { return [] }
        return try LiveFileSystem().names(in: path).filter { $0.hasSuffix(".plist") }
            .compactMap { SuiteName(fileName: $0)?.rawValue }.sorted()
    }

    /// Checks a name. It becomes the name of a file.
    ///
    /// - Throws: ``CommandError`` if it cannot.
    static func validated(_ name: String) throws(CommandError) -> String {
        do {
            return try SuiteName(name).rawValue
        } catch {
            throw CommandError(
                "The name “\(MessageText.name(name))” \(error.problem). Choose a name such as dotfiles."
            )
        }
    }

    // Binary, because XML cannot store every character of a value.
    private func storage(of name: String) -> FileStorage {
        FileStorage(path: "\(path)/\(name).plist", newFormat: .binary)
    }

    /// Reads the memory of a name. Nil if there is none.
    func settings(of name: String) throws -> AppliedSettings? {
        var storage = storage(of: name)
        var values = PropertyListEntries()
        do {
            let reading = try storage.read()
            guard reading.exists else { return nil }
            reading.apply(to: &values)
            return try AppliedSettings(stored: [String: PropertyListValue](values))
        } catch {
            let problem = error is SettingsError ? "\(error)" : "\(storage.path): \(error)"
            throw CommandError(
                "\(problem). Move the file away or make it readable, then apply the settings of “\(MessageText.name(name))” again."
            )
        }
    }

    /// Replaces the memory of a name durably. Without settings the file is removed.
    func store(_ settings: AppliedSettings, of name: String) throws {
        var storage = storage(of: name)
        if settings.isEmpty {
            _ = try storage.remove()
            return
        }
        let new = PropertyListEntries(settings.stored)
        try storage.updateAlone { old, _ in StorageWrite(changes: new.differences(from: old)) }
    }

    /// Waits until no other process applies settings, and keeps others waiting until this process ends. Two names could
    /// otherwise set the same key at once, and neither would see the other.
    func lock() throws {
        let folder = String(path.dropLast("/applied".count))
        do {
            let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: mode
            )
        } catch {
            throw CommandError(
                "The folder \(folder) could not be made: \(lastSystemError()). Nothing was written."
            )
        }
        // The store locks the folder of the file. The file itself is never made.
        var gate = FileStorage(path: folder + "/applied.plist")
        var waits = 0
        while !gate.tryLock() {
            usleep(Self.pollInterval)
            waits += 1
            guard waits % Self.quietWaits == 0 else { continue }
            let holder = gate.lockHolder
            // The system unlocks for a process that ends. A stopped one would hold up all others.
            if let holder, holder.isStopped {
                throw CommandError(
                    "Another pdefaults applies settings and is stopped. Nothing was written. To resume it, run: kill -CONT \(holder.process)"
                )
            }
            if waits == Self.quietWaits {
                let process = holder.map { " (process \($0.process))" } ?? ""
                Output.error("Waiting for another pdefaults that applies settings\(process).")
            }
        }
    }

    private static let pollInterval: UInt32 = 2000
    private static let quietWaits = 1000
}
