// A suite that is too large for one transaction is created in several, and no program may take a part of it for the
// whole. So the first transaction stores a marker in the suite, and the last one removes it; while the marker exists,
// the suite counts as absent. Without the marker, a program could read half of an import.

#if Cluster
import FoundationEssentials
import Glibc
import SettingsStore

/// The marker of a multi-step creation: who creates the suite, and how far the creation is.
struct CreationMarker: Codable, Sendable {
    // The names of these members are stored in etcd.
    private let id: String
    private let program: String
    private let host: String
    /// The start of the machine and the namespace in which `process` is a process's number. It distinguishes machines
    /// and containers with the same name; nil if the system does not tell.
    private let space: String?
    private let process: Int32
    private let keys: Int
    /// The number of keys that are stored already.
    var stored = 0

    init(keys: Int) {
        id = UUID().uuidString
        program = ProcessInfo.processInfo.processName
        (host, space) = (Self.host, Self.space)
        process = getpid()
        self.keys = keys
    }

    /// The stored form. No two markers have the same bytes.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// Says who creates the suite and what the user can do. The text continues a sentence whose subject is the suite.
    static func description(of bytes: [UInt8]) -> String {
        guard let marker = try? JSONDecoder().decode(CreationMarker.self, from: Data(bytes)) else {
            return "is being created by another program. \(advice)"
        }
        return marker.description
    }

    private var description: String {
        let isHere = host == Self.host && space != nil && space == Self.space
        let creator = "\(program) (process \(process)\(isHere ? "" : " on \(host)"))"
        let progress = "\(stored) of \(keys) keys are there"
        // A process's number only says something in the namespace that it belongs to.
        if isHere, kill(process, 0) != 0, errno == ESRCH {
            return "is unfinished: \(creator) created it and has ended. \(progress), and do not count. "
                + Self.advice
        }
        return "is being created by \(creator). \(progress), and do not count until all are. "
            + "If it has ended: \(Self.advice)"
    }

    private static let advice =
        "“pdefaults delete”, or d in the editor’s list of suites, removes them"

    /// See proc_sys_kernel(5) and namespaces(7).
    private static let space: String? = {
        var name = [CChar](repeating: 0, count: 64)
        guard let start = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            readlink("/proc/self/ns/pid", &name, name.count - 1) > 0
        else { return nil }
        return start.filter { !$0.isNewline } + " " + text(name)
    }()

    private static let host: String = {
        var name = [CChar](repeating: 0, count: 256)
        gethostname(&name, name.count - 1)
        return text(name)
    }()

    private static func text(_ name: [CChar]) -> String {
        String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
#endif
