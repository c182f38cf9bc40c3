import Glibc

// Keeps files that must not be lost. Each one gets a visible name beside the suite's file: an unreadable file that the
// user recovers, and a file that another program put in place at the wrong moment.

extension DirectoryLock {
    /// Renames the suite's file to a free name, and returns that and the new path.
    func moveFileAside(at time: Timestamp) throws(SystemError) -> (name: String, path: String) {
        let name = try renameAside(place.name, at: time)
        return (name, joinPath(place.folder, name))
    }

    func renameAside(_ name: String, at time: Timestamp) throws(SystemError) -> String {
        let suffix = ".broken-" + utcStamp(time)
        // Room for the suffix and a number in the 255 bytes that a name can have.
        let stem = prefix(of: place.name, bytes: 255 - suffix.utf8.count - 6)
        return try rename(name) { stem + ($0 == 1 ? suffix : "\(suffix)-\($0)") }
    }

    /// Renames to the first free name, and returns it.
    private func rename(_ name: String, _ newName: (Int) -> String) throws(SystemError) -> String {
        var count = 1
        while true {
            do {
                try files.renameatWithoutReplacing(descriptor, from: name, to: newName(count))
                return newName(count)
            } catch {
                if error.number != EEXIST || count == 9999 { throw error }
            }
            count += 1
        }
    }

    /// Gives another program's file that has the private name a visible one, and returns its path.
    @discardableResult
    func setNewFileAside() throws(SystemError) -> String {
        let stem = "pdefaults-rescued-" + utcStamp(files.now())
        let name = try rename(newFileName) { ($0 == 1 ? stem : "\(stem)-\($0)") + ".plist" }
        return joinPath(place.folder, name)
    }
}

/// The longest prefix, in whole characters, that fits into so many bytes.
private func prefix(of text: String, bytes limit: Int) -> String {
    var prefix = text
    while prefix.utf8.count > limit { prefix.removeLast() }
    return prefix
}
