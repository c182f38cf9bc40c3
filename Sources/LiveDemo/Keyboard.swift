import Dispatch
import Foundation
import Synchronization

/// Keys as they are pressed; where there is no terminal, the characters of the lines that are read.
enum Keyboard {
    /// Ends with the input; a `q` stands for the signals that ask a program to end. The terminal is
    /// given back when the process ends.
    static func keys() -> AsyncStream<Character> {
        Terminal.readSingleKeys()
        let (keys, continuation) = AsyncStream<Character>.makeStream()
        for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            on(number) { continuation.yield("q") }
        }
        on(SIGCONT) { Terminal.readSingleKeys() }
        Thread {
            while let key = nextCharacter() { continuation.yield(key) }
            continuation.finish()
        }.start()
        return keys
    }

    /// Runs the action when the signal arrives, as long as the process lives.
    private static func on(_ number: Int32, _ action: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { withExtendedLifetime(source) { action() } }
        source.activate()
    }

    /// The next character of the input; nil at its end. Bytes that aren't UTF-8 are passed over.
    private static func nextCharacter() -> Character? {
        while true {
            guard var bytes = nextByte().map({ [$0] }) else { return nil }
            while bytes.count < 4, String(validating: bytes, as: UTF8.self) == nil, bytes[0] >= 0xC2 {
                guard let byte = nextByte() else { return nil }
                bytes.append(byte)
            }
            if let text = String(validating: bytes, as: UTF8.self), let character = text.first {
                return character
            }
        }
    }

    private static func nextByte() -> UInt8? {
        var byte: UInt8 = 0
        var count: Int
        repeat { count = read(STDIN_FILENO, &byte, 1) } while count < 0 && errno == EINTR
        return count == 1 ? byte : nil
    }
}

/// The terminal's own settings, as this program found them.
private enum Terminal {
    private static let saved = Mutex<termios?>(nil)

    /// Has the terminal hand over each key at once and unseen, until the process ends.
    static func readSingleKeys() {
        var settings = termios()
        // In the background the terminal is another program's.
        guard tcgetpgrp(STDIN_FILENO) == getpgrp(), tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        let isFirst = saved.withLock { saved in
            defer { saved = saved ?? settings }
            return saved == nil
        }
        if isFirst {
            atexit {
                if var settings = Terminal.saved.withLock({ $0 }) {
                    _ = tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
                }
            }
        }
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
}
