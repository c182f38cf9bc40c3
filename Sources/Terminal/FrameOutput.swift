import CNcurses
import Glibc

/// What ncurses writes while a screen is drawn, put together so that it goes to the terminal in one piece.
/// ncurses itself writes as often as its buffer is full and the cursor is hidden or shown.
struct FrameOutput {
    /// The terminal as ncurses has it, and as it is.
    private let descriptor: Int32
    private let terminal: Int32
    /// A file in memory, in which ncurses writes meanwhile; -1 where the system has none.
    private let memory: Int32

    init(descriptor: Int32, terminal: Int32) {
        self.descriptor = descriptor
        self.terminal = terminal
        memory = cncurses_memory_file()
    }

    func close() { if memory >= 0 { Glibc.close(memory) } }

    /// What is written meanwhile. Where it can't be kept back it is written as it comes, and nothing is
    /// returned.
    func bytes(of drawing: () -> Void) -> [UInt8] {
        guard memory >= 0, cncurses_redirect(descriptor, memory) else {
            drawing()
            return []
        }
        drawing()
        _ = cncurses_redirect(descriptor, terminal)
        let length = lseek(memory, 0, SEEK_CUR)
        guard length > 0 else { return [] }
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = max(0, pread(memory, buffer.baseAddress, length, 0))
        }
        lseek(memory, 0, SEEK_SET)
        return bytes
    }
}
