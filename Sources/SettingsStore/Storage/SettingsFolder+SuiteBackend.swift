extension SettingsFolder: SuiteBackend {
    public var location: String { path }

    public var kind: BackendKind { .files }

    public func isThere() throws(SettingsError) -> Bool {
        do throws(SystemError) {
            try ResolvedPath.check(path)
            return try LiveFileSystem().stat(path) != nil
        } catch {
            throw SettingsError(error, at: path)
        }
    }

    public func readOnlyReason() -> String? {
        let files = LiveFileSystem()
        // The first write creates a missing folder.
        guard (try? files.stat(path)) ?? nil != nil else { return nil }
        return files.reasonNotToWrite(path, called: "the folder \(path)")
    }

    public func suiteNames() throws(SettingsError) -> [SuiteName] {
        try suiteNames(files: LiveFileSystem())
    }

    public func versions(of names: [SuiteName]) -> [SuiteName: SuiteVersion] {
        var versions: [SuiteName: SuiteVersion] = [:]
        for name in names {
            guard let info = try? LiveFileSystem().stat(filePath(of: name)) else { continue }
            versions[name] = SuiteVersion(file: info.identity)
        }
        return versions
    }

    public func suite(_ name: SuiteName) -> SettingsSuite { SettingsSuite(name, in: self) }

    public func storage(of name: SuiteName) -> sending any SuiteStorage {
        FileStorage(path: filePath(of: name))
    }
}
