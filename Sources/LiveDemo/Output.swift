import Foundation
import PDefaults

/// Prints lines with a time stamp.
enum Output {
    /// Prints a property's value, and why it is shown if this program has not just set it.
    static func value<Value>(_ key: SettingsKey, _ update: PDefaultsUpdate<Value>) {
        line("\(key) = \(spelling(of: update.value))\(reason(update.state, update.origin))")
    }

    private static func reason(_ state: PDefaultsState, _ origin: PDefaultsOrigin) -> String {
        switch (state, origin) {
        case (.undecodable, _): " (what is stored can't be read)"
        case (.invalid(let error), _): " (what is stored is not taken: \(error.reason))"
        case (.argument, _): " (argument)"
        case (_, .otherProcess): " (another process)"
        case (_, .migration): " (migrated)"
        case (_, .refused): " (the file has no place for the new value)"
        case (.default, _): " (default)"
        case (.stored, _): ""
        }
    }

    static func line(_ text: String) {
        print("\(time())  \(MessageText.escaped(text))")
        // Shows the line at once, even in a pipe.
        fflush(nil)
    }

    private static func spelling(of value: Any) -> String {
        switch value {
        case let optional as any PossiblyMissing: optional.content.map(spelling(of:)) ?? "nil"
        case let text as String: "\"\(text)\""
        case let date as Date: date.ISO8601Format()
        case let player as Player: "\(player.name) with \(player.score) points"
        case let list as [Any]: "[\(list.map(spelling(of:)).joined(separator: ", "))]"
        default: "\(value)"
        }
    }

    /// Returns the local time as `HH:MM:SS.mmm`.
    private static func time() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        localtime_r(&now.tv_sec, &parts)
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { digits(Int($0), 2) }
        return clock.joined(separator: ":") + "." + digits(now.tv_nsec / 1_000_000, 3)
    }
}

private protocol PossiblyMissing {
    var content: Any? { get }
}

extension Optional: PossiblyMissing {
    fileprivate var content: Any? { self }
}
