public import PropertyList
import Synchronization

extension SettingsSuite {
    /// Says what a setting of the suite is for and which values it takes.
    ///
    /// Values that it doesn't take are refused from now on by everything in this process that sets the
    /// key, and in the background the place beside the suite (``SchemaPlace``) is made to say it, for editors
    /// and other programs. Of several declarations of one key the first one counts, completed by
    /// the others.
    public func declare(_ declaration: SettingDeclaration, forKey key: String) {
        core.declare(declaration, forKey: key)
        core.useDeclarations()
    }

    /// What this process has declared.
    public var declared: SuiteSchema { core.declarations.schema }

    /// - Throws: why this process has declared that the key can't have the value. Keys that nobody
    ///   declared take any, and all do while ``validates`` is false.
    public func validate(_ value: PropertyListValue, forKey key: String) throws(InvalidValueError) {
        if let problem = core.problem(with: value, forKey: key) {
            throw InvalidValueError(key: key, problem: problem)
        }
    }

    /// What the programs of the suite have declared, from the place beside the suite; empty where there is
    /// nothing. Looks there at each call.
    ///
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` with line and column, or why the system
    ///   refused. The suite itself goes on without.
    public func readSchema() throws(SettingsError) -> SuiteSchema { try schemaPlace?.read() ?? SuiteSchema() }

    /// Where its settings are declared to others; nil for a suite that nobody else sees.
    public var schemaPlace: (any SchemaPlace)? { core.schemaPlace }

    /// Whether values are checked against what was declared for their key, by this process. True unless
    /// somebody says otherwise; what is declared is told to others all the same.
    public static var validates: Bool {
        get { SuiteCore.validates.load(ordering: .relaxed) }
        set { SuiteCore.validates.store(newValue, ordering: .relaxed) }
    }
}

// MARK: - For properties

extension SettingsSuite {
    /// Notes that values of a type are going to be read, and tells whether that is new.
    ///
    /// - Parameter isReadable: whether a stored value can be read there. Values that can't are kept aside
    ///   before they are overwritten.
    package func beginDeclaring<Value>(
        _ key: String,
        by type: Value.Type,
        isReadable: @escaping @Sendable (PropertyListValue) -> Bool
    ) -> Bool {
        core.declarations.begin(key, by: ObjectIdentifier(type), isReadable: isReadable)
    }

    /// Whether somebody of this process has declared the key to be a secret.
    package func hasSecret(_ key: String) -> Bool { core.declarations.hasSecret(key) }

    /// Declares a setting without touching any file before the suite is used.
    package func declareWhenUsed(_ declaration: SettingDeclaration, forKey key: String) {
        core.declare(declaration, forKey: key)
    }

    /// The suite is used from now on.
    package func useDeclared() { core.useDeclarations() }

    /// Why the key can't have a value that is known to be of its type; nil if it can.
    package func limitsProblem(with value: PropertyListValue, forKey key: String) -> String? {
        core.problem(with: value, forKey: key, isOfType: true)
    }

    /// Sets keys to values that were checked before.
    package func setChecked(_ values: [String: PropertyListValue?], origin: ChangeOrigin) {
        core.set(values, origin: origin)
    }

    /// Sets a key to a value that was checked before.
    package func setChecked(_ value: PropertyListValue?, forKey key: String, origin: ChangeOrigin) {
        core.set(value, forKey: key, origin: origin)
    }
}

extension SchemaFile {
    /// Hints, on another thread, whenever the file may have changed, for as long as the watch is held.
    public func watch(_ hint: @escaping @Sendable () -> Void) -> StorageWatch {
        FolderWatcher.shared.watch(file: path, hint)
    }
}

extension SuiteCore {
    static let validates = Atomic(true)

    /// Nil where the key can have the value.
    func problem(with value: PropertyListValue, forKey key: String, isOfType: Bool = false) -> String? {
        if !Self.validates.load(ordering: .relaxed) { return nil }
        return declarations.problem(with: value, forKey: key, isOfType: isOfType)
    }

    /// Whether the key can have the value, or be without; reports that it can't.
    func allows(_ value: PropertyListValue?, forKey key: String) -> Bool {
        guard let value, let problem = problem(with: value, forKey: key) else { return true }
        let error = InvalidValueError(key: key, problem: problem)
        SuiteFailures.report(location, .invalid(path: location, error))
        return false
    }

    func declare(_ declaration: SettingDeclaration, forKey key: String) {
        if declarations.declare(declaration, forKey: key) { scheduleExport() }
    }

    /// The suite is in use, so that its declarations are told to others.
    func useDeclarations() {
        if declarations.beginUse() { scheduleExport() }
    }

    /// Exports what could not be exported before there was a folder for it.
    func exportLate() {
        if declarations.beginExport() { scheduleExport() }
    }

    private func scheduleExport() {
        if schemaPlace == nil { return }
        UnstoredSuites.shared.insertUnexported(self)
        // Programs declare their settings one after the other: a moment later there are more of them.
        scheduler.run(after: 0.1) { self.exportDeclarations() }
    }

    /// Has the place beside the suite say what was declared. Waits for whoever is at it, so that the
    /// end of the process does not come in between.
    func exportDeclarations() {
        let failure: SettingsError? = exporting.withLock { _ in
            let failure = exportUnexported()
            UnstoredSuites.shared.removeUnexported(self)
            // Also what was declared meanwhile.
            if declarations.hasUnexported { UnstoredSuites.shared.insertUnexported(self) }
            return failure
        }
        // A program that may not write there does without. Somebody's file that is broken is worth a word.
        if case .unreadableSchema? = failure, let failure { SuiteFailures.report(location, failure) }
    }

    private func exportUnexported() -> SettingsError? {
        guard let schemaPlace, let schema = declarations.takeUnexported() else { return nil }
        // The next reading that succeeds comes back to it.
        if isOutOfReach {
            declarations.putBack()
            return nil
        }
        do throws(SettingsError) {
            if try !schemaPlace.merge(schema) { declarations.putBack() }
            return nil
        } catch {
            if error.isOutage { declarations.putBack() }
            return error
        }
    }
}
