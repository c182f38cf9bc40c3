import Glibc

/// The folder of a suite's file while this process alone may replace files in it.
struct LockedFolder {
    /// What a file is written as before it takes its place.
    static let newFileName = ".pdefaults.new"
    private static let lockFileName = ".pdefaults.lock"

    let path: String
    let fileName: String
    let descriptor: Int32
    private let lockDescriptor: Int32
    private let files: any FileSystem

    var filePath: String { path + "/" + fileName }

    init(_ path: String, fileName: String, _ files: any FileSystem) throws(SystemError) {
        self.path = path
        self.fileName = fileName
        self.files = files
        descriptor = try files.open(path, flags: O_RDONLY | O_DIRECTORY)
        do {
            lockDescriptor = try Self.lock(descriptor, files)
        } catch {
            files.close(descriptor)
            throw error
        }
    }

    private static func lock(_ folder: Int32, _ files: any FileSystem) throws(SystemError) -> Int32 {
        do {
            try files.lockUninterrupted(folder)
            return folder
        } catch  where [EOPNOTSUPP, ENOLCK, EINVAL, EBADF, ENOSYS].contains(error.number) {
            // This file system locks no folders: a file that stays takes its place.
            let file = try files.openat(
                folder,
                lockFileName,
                flags: O_RDWR | O_CREAT | O_NOFOLLOW,
                mode: 0o600
            )
            do {
                try files.lockUninterrupted(file)
            } catch {
                files.close(file)
                throw error
            }
            return file
        }
    }

    func unlock() {
        if lockDescriptor != descriptor { files.close(lockDescriptor) }
        files.close(descriptor)
    }
}
