public import PropertyList
import Synchronization

extension SettingsSuite {
    /// Declares the purpose and the values of a setting.
    ///
    /// From now on this process refuses to set the key to other values. The declaration is stored beside the suite in the
    /// background (``SchemaStore``), for editors and other programs. The first declaration of a key counts; later ones
    /// add what it does not say.
    public func declare(_ declaration: SettingDeclaration, forKey key: String) {
        core.declare(declaration, forKey: key)
        core.useDeclarations()
    }

    /// The declarations of this process.
    public var declared: SuiteSchema { core.declarations.schema }

    /// Checks a value against the declarations of this process. A key without a declaration can have any value, and so
    /// can all keys while ``validates`` is false.
    public func validate(_ value: PropertyListValue, forKey key: String) throws(InvalidValueError) {
        if let problem = core.problem(with: value, forKey: key) {
            throw InvalidValueError(key: key, problem: problem)
        }
    }

    /// Reads the declarations of all programs that are stored beside the suite; empty if there are none.
    ///
    /// - Throws: ``SettingsError/unreadableSchema(path:_:)`` with line and column, or the error of the system. The suite
    ///   works without a schema.
    public func readSchema() throws(SettingsError) -> SuiteSchema { try schemaPlace?.read() ?? SuiteSchema() }

    /// Where the declared settings are stored; nil for a suite that no other process sees.
    public var schemaPlace: (any SchemaStore)? { core.schemaPlace }

    /// Whether this process checks values against the declaration of their key. The default is true. Declarations are
    /// stored beside the suite in both cases.
    public static var validates: Bool {
        get { SuiteCore.validates.load(ordering: .relaxed) }
        set { SuiteCore.validates.store(newValue, ordering: .relaxed) }
    }
}

// MARK: - For properties

extension SettingsSuite {
    /// Notes that the program reads values of a type under a key. Returns whether that is new.
    package func beginDeclaring<Value>(_ key: String, by type: Value.Type) -> Bool {
        core.declarations.begin(key, by: ObjectIdentifier(type))
    }

    /// Notes that the program could not read a stored value. It goes into quarantine before it is replaced.
    package func noteUnreadable(_ value: PropertyListValue, forKey key: String) {
        let value = value.withOwnData
        core.state.withLock { $0.noteUnreadable(value, forKey: key) }
    }

    /// Whether this process has declared the key to be a secret.
    package func hasSecret(_ key: String) -> Bool { core.declarations.hasSecret(key) }

    /// Declares a setting. No file is written before the suite is used.
    package func declareWhenUsed(_ declaration: SettingDeclaration, forKey key: String) {
        core.declare(declaration, forKey: key)
    }

    /// Notes that the suite is used.
    package func useDeclared() { core.useDeclarations() }

    /// Why the key can't have a value that is known to have the right type; nil if it can.
    package func limitsProblem(with value: PropertyListValue, forKey key: String) -> String? {
        core.problem(with: value, forKey: key, isOfType: true)
    }

    /// Sets keys to values that the caller has checked.
    package func setChecked(_ values: [String: PropertyListValue?], origin: ChangeOrigin) {
        core.set(values, origin: origin)
    }

    /// Sets a key to a value that the caller has checked.
    package func setChecked(_ value: PropertyListValue?, forKey key: String, origin: ChangeOrigin) {
        core.set(value, forKey: key, origin: origin)
    }
}

extension SchemaFile {
    /// Calls `notify` whenever one of the schemas may have changed. A later change of `$schema` is not noticed. It does so until the returned watch is released. It is
    /// called on another thread, with no lock held.
    public func watch(_ notify: @escaping @Sendable () -> Void) -> StorageWatch {
        StorageWatch(all: ([path] + otherPaths).map { FolderWatcher.shared.watch(file: $0, notify) })
    }
}

extension SuiteCore {
    static let validates = Atomic(true)
    /// Seconds. Programs declare their settings one after the other, and one export should store all of them.
    private static let exportDelay = 0.1

    /// Why the key can't have the value; nil if it can.
    func problem(with value: PropertyListValue, forKey key: String, isOfType: Bool = false) -> String? {
        if !Self.validates.load(ordering: .relaxed) { return nil }
        return declarations.problem(with: value, forKey: key, isOfType: isOfType)
    }

    /// Whether the key can have the value. Reports an error if it can't. A key can always be removed.
    func allows(_ value: PropertyListValue?, forKey key: String) -> Bool {
        guard let value else { return true }
        if let lock = lock(ofKey: key) {
            FailureHandler.report(location, .locked(key: key, by: lock))
            return false
        }
        guard let problem = problem(with: value, forKey: key) else { return true }
        let error = InvalidValueError(key: key, problem: problem)
        FailureHandler.report(location, .invalid(path: location, error))
        return false
    }

    func declare(_ declaration: SettingDeclaration, forKey key: String) {
        if declarations.declare(declaration, forKey: key) { scheduleExport() }
    }

    /// Notes that the suite is used, so that its declarations are stored beside it.
    func useDeclarations() {
        if declarations.beginUse() { scheduleExport() }
    }

    /// Schedules the export of declarations that could not be exported earlier, for example without a folder.
    func exportIfPossible() {
        if declarations.beginExport() { scheduleExport() }
    }

    private func scheduleExport() {
        if schemaPlace == nil { return }
        ExitFlush.shared.insertUnexported(self)
        scheduler.run(after: Self.exportDelay) { self.exportDeclarations() }
    }

    /// Stores the declarations beside the suite. Waits for a thread that is doing so, so that the process does not exit
    /// in between.
    func exportDeclarations() {
        let failure: SettingsError? = exporting.withLock { _ in
            let failure = exportUnexported()
            ExitFlush.shared.removeUnexported(self)
            // More may have been declared meanwhile.
            if declarations.hasUnexported { ExitFlush.shared.insertUnexported(self) }
            return failure
        }
        // Without a stored schema the program works too, so only a broken one is reported.
        if case .unreadableSchema? = failure, let failure { FailureHandler.report(location, failure) }
    }

    private func exportUnexported() -> SettingsError? {
        guard let schemaPlace, let schema = declarations.takeUnexported() else { return nil }
        // The next successful reading schedules another export.
        if hasOutage {
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
