import PropertyList

// A suite whose file is a symbolic link is removed and made again as that link: what it leads to stays.
extension FileStorage {
    var link: SuiteLink { SuiteLink(path: path, files: files) }

    /// Makes the suite as a link, if that leads to just what it is to hold.
    ///
    /// - Returns: false where it leads nowhere, so that there has to be a file.
    /// - Throws: where it leads to something else.
    mutating func makeLink(
        _ target: String,
        to values: [String: PropertyListValue?],
        in folder: LockedFolder
    ) throws -> Bool {
        let place = target.hasPrefix("/") ? target : joinPath(folder.place.folder, target)
        var other = FileStorage(path: place, newFormat: newFormat, files: files, watcher: watcher)
        let reading = try other.read()
        var found = PropertyListEntries()
        reading.apply(to: &found)
        let wanted = values.compactMapValues { $0 }
        guard reading.exists || wanted.isEmpty else { return false }
        guard [String: PropertyListValue](found) == wanted else {
            let reason = "it was a link to \(place), which holds something else by now"
            throw SettingsError.notWritable(path: path, reason: reason)
        }
        try files.symlinkat(target, folder.descriptor, folder.place.name)
        try files.fsync(folder.descriptor)
        (content, seen, hasLooked) = (other.content, other.seen, true)
        lastPlace = nil
        return true
    }
}
