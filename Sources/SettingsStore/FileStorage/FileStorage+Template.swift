// A copy of a suite should look like the original: same format, order of keys, comments and mode. A template is what
// such a copy begins with. Without it, every copied or renamed suite would lose its comments.

import PropertyList

/// How a suite is written beyond its values: the format of its file, the order of its keys, its comments, and who may
/// read it.
public struct SuiteTemplate: Sendable {
    let document: PropertyListDocument
    /// The keys of the document.
    let keys: [String]
    let mode: UInt32
    /// The target of the suite's file if that is a symbolic link.
    var link: String?
}

extension FileStorage: ProvidesTemplate {
    public func template() throws(SettingsError) -> SuiteTemplate? {
        do {
            guard let folder = try DirectoryLock.lock(for: path, files) else { return nil }
            defer { folder.unlock() }
            guard let file = try folder.openFile() else { return nil }
            defer { files.close(file) }
            var template = try template(of: file)
            template.link = try link.target()
            return template
        } catch {
            throw named(error)
        }
    }

    /// The template of a file that is open for reading.
    func template(of file: Int32) throws -> SuiteTemplate {
        let info = try files.fstat(file, path)
        if info.kind != .file { throw SettingsError.notAFile(path: path) }
        let bytes = try readAll(file, expecting: Int(info.identity.size))
        do throws(PropertyListError) {
            let (document, values) = try PropertyListDocument.read(bytes, expecting: newFormat)
            return SuiteTemplate(document: document, keys: values.map(\.key), mode: info.mode & 0o777)
        } catch {
            throw unreadable(error)
        }
    }
}
