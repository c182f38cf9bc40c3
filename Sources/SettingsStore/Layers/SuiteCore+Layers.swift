import PropertyList
import Synchronization

/// Whether a suite has locks, as far as its mandatory files were read.
enum LockKnowledge: UInt8, AtomicRepresentable {
    /// The mandatory files were not read yet.
    case unknown
    /// Also for a storage that has no layers.
    case noLocks
    case locks
}

extension SuiteCore {
    /// Reads the files of the other layers. Notifies no observer.
    func readLayers() {
        searchList.withLock { searchList in
            // Its first reading has found that there are no other layers.
            if searchList?.isLayered == false { return }
            guard let layeredSuite else { return }
            let isFirst = searchList == nil
            var list = searchList ?? SearchList(around: layeredSuite)
            searchList = nil
            defer { searchList = list }
            guard list.isLayered else { return noteLocks(list.values) }
            let known = list.problems
            // At the first reading there is nothing to compare with.
            var changedKeys: Set<String> = []
            if isFirst {
                list.read()
            } else {
                changedKeys = list.readChanges()
            }
            let problems = list.problems
            if !isFirst, changedKeys.isEmpty, problems == known { return }
            let values = list.values
            state.withLock {
                $0.adopt(
                    values,
                    problems,
                    changedKeys: changedKeys,
                    arguments: ProcessArguments.ofThisProcess
                )
            }
            noteLocks(values)
        }
    }

    private func noteLocks(_ values: LayerValues) {
        lockKnowledge.store(values.hasLocks ? .locks : .noLocks, ordering: .releasing)
    }

    /// Begins to watch the files of the other layers.
    func watchLayers() -> [StorageWatch] {
        guard let layeredSuite else { return [] }
        return searchList.withLock { list in
            let files = list ?? SearchList(around: layeredSuite)
            return files.watch { [weak self] in self?.layersMayHaveChanged() }
        }
    }

    /// A watch has notified.
    private func layersMayHaveChanged() {
        if state.withLock({ $0.watch.beginReadingLayers() }) {
            scheduler.runHere { self.readLayersInBackground() }
        }
    }

    private func readLayersInBackground() {
        state.withLock { $0.watch.readingLayersBegins() }
        readLayers()
        deliver()
        reportFailures()
    }

    /// The path of the file that locks the key; nil if none does. The first use of the suite reads its files.
    func lock(ofKey key: String) -> String? {
        if lockKnowledge.load(ordering: .acquiring) == .noLocks { return nil }
        return withLoadedState { $0.values.layers.lock(ofKey: key) }
    }
}

// MARK: - The layers of a suite

extension SettingsSuite {
    /// All values of the key in the layers of the suite, the highest layer first. The first one is the one that programs
    /// get.
    public func sources(forKey key: String) -> [SettingSource] {
        let location = location
        let declared = declared.declarations[key]?.defaultValue
        return core.withLoadedState { $0.values.sources(forKey: key, location: location, declared: declared) }
    }

    /// Whether an administrator has locked the key, so that no program sets it.
    ///
    /// The user's own value stays stored, and counts again when the lock is gone. Locks bind programs with this library.
    /// They do not stop a user who edits the file or who runs another program.
    public func isLocked(_ key: String) -> Bool { lock(ofKey: key) != nil }

    /// The path of the administrator's file that locks the key; nil if it is not locked.
    public func lock(ofKey key: String) -> String? { core.lock(ofKey: key) }

    /// The files of the suite's layers that could not be used when they were last read.
    public var layerProblems: [LayerProblem] { core.withLoadedState(\.values.layerProblems) }

    /// The values of the layers besides the suite itself, without the defaults and arguments of this process.
    package var otherLayers: LayerValues { core.withLoadedState(\.values.layers) }

    /// All values that programs read, without the defaults of this process.
    package var layeredValues: [String: PropertyListValue] { core.withLoadedState(\.values.layeredValues) }
}
