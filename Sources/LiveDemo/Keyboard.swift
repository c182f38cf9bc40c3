import Dispatch
import Foundation
import Synchronization

/// Reads single keys from the terminal. Without a terminal, it reads the characters of the input.
enum Keyboard {
    /// Returns the keys as they are pressed, until the input ends.
    ///
    /// A signal that asks the program to end is reported as `q`. The terminal is restored when the process
    /// ends.
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

    /// Runs the action whenever the signal arrives.
    private static func on(_ number: Int32, _ action: @escaping @Sendable () -> Void) {
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { withExtendedLifetime(source) { action() } }
        source.activate()
    }

    /// Reads the next character. Returns nil at the end of the input, and skips invalid UTF-8.
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

/// Keeps the terminal's original settings, to restore them.
private enum Terminal {
    private static let saved = Mutex<termios?>(nil)

    /// Makes the terminal report each key at once and without echo, until the process ends.
    static func readSingleKeys() {
        var settings = termios()
        // In the background, the terminal belongs to another program.
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
