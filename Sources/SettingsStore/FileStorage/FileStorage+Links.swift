import PropertyList

// A suite whose file is a symbolic link is removed and made again as that link. The file that the link leads to stays.
extension FileStorage {
    var link: SuiteSymlink { SuiteSymlink(path: path, files: files) }

    /// Makes the suite as a link to a file that has exactly the values.
    ///
    /// - Returns: False if there is no such file, so that the suite needs a file of its own.
    /// - Throws: If the file has other values.
    mutating func makeLink(
        _ target: String,
        to values: [String: PropertyListValue?],
        in folder: DirectoryLock
    ) throws -> Bool {
        let place = target.hasPrefix("/") ? target : joinPath(folder.place.folder, target)
        var other = FileStorage(path: place, newFormat: newFormat, files: files, watcher: watcher)
        let reading = try other.read()
        var found = PropertyListEntries()
        reading.apply(to: &found)
        let wanted = values.compactMapValues { $0 }
        guard reading.exists || wanted.isEmpty else { return false }
        guard [String: PropertyListValue](found) == wanted else {
            let reason = "it is a link to \(place), which another program has changed: try again"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        try files.symlinkat(target, folder.descriptor, folder.place.name)
        try files.makeDurable(folder.descriptor, path)
        (content, seen, hasLooked) = (other.content, other.seen, true)
        return true
    }
}
