import PropertyList

extension FileStorage {
    /// Reads one value of a large file, for a command that needs no others.
    ///
    /// - Returns: Nil if the value is not certain: the file is small, missing, unreadable or being written, or has no such
    ///   key. Then ``read()`` answers.
    package func valueInLargeFile(forKey key: String) -> PropertyListValue? {
        guard (try? ResolvedPath.check(path)) != nil, let file = (try? open()) ?? nil else { return nil }
        defer { files.close(file) }
        guard let info = try? files.fstat(file, path), info.kind == .file,
            info.identity.size >= largeFileSize,
            let bytes = try? readAll(file, expecting: Int(info.identity.size)),
            (try? files.fstat(file, path).identity) == info.identity
        else { return nil }
        return PropertyListDocument.value(forKey: key, in: bytes)
    }
}
