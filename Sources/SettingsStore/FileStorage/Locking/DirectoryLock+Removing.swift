import Glibc

// Removes a suite's file, without removing a file that another program has put in its place.

extension DirectoryLock {
    /// Removes the suite's file durably, if it is the file that the caller expects.
    ///
    /// An unlocked writer may put another file in its place at any moment, and unlink(2) knows only names. So the file
    /// first gets the private name, where no program replaces it, and is examined there.
    ///
    /// - Parameter isExpected: Is given the path of the file with the private name.
    /// - Returns: False if it is another file, or gone. Another file has its name again then, or a visible one if
    ///   another program has put something under its name.
    func removeFile(if isExpected: (String) throws -> Bool) throws -> Bool {
        do {
            try withPrivateName { name throws(SystemError) in
                if try files.stat(joinPath(place.folder, name)) != nil {
                    throw SystemError("rename", name, EEXIST)
                }
                try files.renameat(descriptor, from: place.name, to: name)
            }
        } catch let error as SystemError where error.number == ENOENT {
            return false
        }
        var failure: (any Error)?
        do {
            if try isExpected(joinPath(place.folder, newFileName)) {
                try files.unlinkat(descriptor, newFileName)
                try files.makeDurable(descriptor, place.path)
                return true
            }
        } catch {
            failure = error
        }
        try putBack()
        if let failure { throw failure }
        return false
    }

    /// Gives the file with the private name the suite's name, unless another program has put something there.
    private func putBack() throws {
        do throws(SystemError) {
            try files.renameatWithoutReplacing(descriptor, from: newFileName, to: place.name)
        } catch {
            if error.number == ENOENT || (try? setNewFileAside()) != nil { return }
            let reason =
                "the file can't be removed, nor get its name back: it is \(joinPath(place.folder, newFileName)) "
                + "(\(error.call) failed: \(message(ofErrorNumber: error.number)))"
            throw SettingsError.notWritable(path: place.path, reason: reason)
        }
    }
}
