import CNcurses
import Glibc

/// Collects the bytes of one frame, so that they reach the terminal in one write.
///
/// ncurses writes whenever its buffer is full and whenever the cursor is shown or hidden. While a frame is
/// drawn, its descriptor points to a file in memory, and the bytes are sent together afterwards. Without
/// this, a terminal would show half-drawn frames, and a blocked terminal would block the program inside
/// ncurses.
struct FrameOutput {
    /// The descriptor that ncurses writes to, and a descriptor of the real terminal.
    private let descriptor: Int32
    private let terminal: Int32
    /// The file in memory that receives the output of ncurses, or -1 if the system has none.
    private let memory: Int32

    init(descriptor: Int32, terminal: Int32) {
        self.descriptor = descriptor
        self.terminal = terminal
        memory = cncurses_memory_file()
    }

    func close() { if memory >= 0 { Glibc.close(memory) } }

    /// Returns the bytes that ncurses writes during `drawing`.
    ///
    /// If the output cannot be redirected, it goes to the terminal directly and the result is empty.
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
