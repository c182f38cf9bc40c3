#if Cluster
import FoundationEssentials
import Glibc
import SettingsStore

/// What stands in a suite while it is being made in several steps. For as long as it does the suite is not there
/// for anybody, so that no part is ever taken for all of it.
struct SuiteMaking: Codable, Sendable {
    private let id: String
    private let program: String
    private let host: String
    /// Tells machines and containers apart whose names are the same; nil where nobody can.
    private let space: String?
    private let process: Int32
    private let keys: Int
    /// So many of the keys are there.
    var stored = 0

    init(keys: Int) {
        id = UUID().uuidString
        program = ProcessInfo.processInfo.processName
        (host, space) = (Self.host, Self.space)
        process = getpid()
        self.keys = keys
    }

    /// As it stands there; no two are the same.
    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).map { [UInt8]($0) } ?? []
    }

    /// Who makes the suite, and what can be done about it, for a sentence that begins with where it is.
    static func words(for bytes: [UInt8]) -> String {
        guard let making = try? JSONDecoder().decode(SuiteMaking.self, from: Data(bytes)) else {
            return "is being made by somebody. \(wayOut)"
        }
        return making.words
    }

    private var words: String {
        let isHere = host == Self.host && space != nil && space == Self.space
        let maker = "\(program) (process \(process)\(isHere ? "" : " on \(host)"))"
        let progress = "\(stored) of \(keys) keys are there"
        if isHere, kill(process, 0) != 0, errno == ESRCH {
            return "was being made by \(maker), which has ended: \(progress), and count as none. "
                + Self.wayOut
        }
        return "is being made by \(maker): \(progress), and count as none until all are. "
            + "Where that has ended: \(Self.wayOut)"
    }

    private static let wayOut =
        "“pdefaults delete”, or d in the editor’s list of suites, takes away what is there"

    /// This start of the machine, and what its processes are counted in.
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
