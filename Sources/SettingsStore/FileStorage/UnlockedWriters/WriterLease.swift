/// Holds unlocked writers off while their file is replaced.
///
/// Problem: an unlocked writer may write the file between our last check and the exchange of the two files. For a
/// moment the suite's file then lacks a key that the program has just stored, and if the program reads it in that
/// moment, its next write drops the key for good. Approach: the kernel gives us a read lease on the file only if no
/// process has it open for writing, and a program that opens it for writing waits until the lease ends. Without it,
/// `UserDefaults` would lose keys of its own beside our writes.
struct WriterLease {
    private let file: Int32
    private let files: any FileSystem
    private var isHeld = false
    /// Whether a program had the file open for writing.
    private(set) var isRefused = false

    /// - Parameter file: Open for reading only.
    init(on file: Int32, _ files: any FileSystem) {
        self.file = file
        self.files = files
    }

    mutating func take() {
        let isGranted = files.lease(file)
        isHeld = isGranted == true
        isRefused = isGranted == false
    }

    /// Whether a program has the file open for writing, or waits to open it.
    var hasWriter: Bool { isRefused || isHeld && files.isLeaseAwaited(file) }

    mutating func end() {
        if isHeld { files.endLease(file) }
        isHeld = false
    }
}
