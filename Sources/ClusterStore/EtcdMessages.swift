#if Cluster
import FoundationEssentials

// What etcd's JSON gateway takes and gives (etcd's rpc.proto): names with underscores, 64-bit numbers as
// strings, bytes as Base64, and nothing at all where a number is 0 or a flag is false.
enum EtcdJSON {
    static func encoded(_ message: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try encoder.encode(message)
    }

    static func decoded<Message: Decodable>(_ type: Message.Type, from bytes: Data) throws -> Message {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(type, from: bytes)
    }
}

/// A number that JSON spells as a string.
struct Number: Codable, Sendable, Hashable {
    let value: Int64

    init(_ value: Int64) { self.value = value }

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = Int64(text) ?? UInt64(text).map(Int64.init(bitPattern:)) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no number: \(text)")
            )
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(String(value))
    }
}

struct Header: Decodable, Sendable {
    var clusterId: Number?
    var revision: Number?
}

struct KeyValue: Decodable, Sendable {
    var key: Data
    var value: Data?
    var createRevision: Number?
    var modRevision: Number?

    var bytes: [UInt8] { value.map { [UInt8]($0) } ?? [] }
    var revision: Int64 { modRevision?.value ?? 0 }
}

struct RangeRequest: Encodable, Sendable {
    var key: Data
    var rangeEnd: Data?
    var limit: Number?
    /// 0 is the present.
    var revision: Number?
    var keysOnly: Bool?
    /// Whether what this server knows is enough, be it old.
    var serializable: Bool?
    /// Keys that were last changed before that are left out.
    var minModRevision: Number?
}

struct RangeResponse: Decodable, Sendable {
    var header: Header?
    var kvs: [KeyValue]?
    /// Of all keys in the range, those that were left out among them.
    var count: Number?
}

struct Compare: Encodable, Sendable {
    var result = "EQUAL"
    var target: String
    var key: Data
    /// Nil compares the key alone; else every key that is there up to this one, excluded.
    var rangeEnd: Data?
    /// What is compared with; one of these.
    var modRevision: Number?
    var createRevision: Number?
    var value: Data?

    /// That a key was last changed at a revision; 0 is a key that isn't there.
    static func changed(_ key: Data, at revision: Int64) -> Compare {
        Compare(target: "MOD", key: key, modRevision: Number(revision))
    }

    /// That no key that is there was changed after a revision.
    static func unchanged(_ range: KeyRange, since revision: Int64) -> Compare {
        let next = Number(revision + 1)
        return Compare(
            result: "LESS",
            target: "MOD",
            key: range.start,
            rangeEnd: range.end,
            modRevision: next
        )
    }

    /// That there is no key: one that is there was made at a revision.
    static func isEmpty(_ range: KeyRange) -> Compare {
        Compare(target: "CREATE", key: range.start, rangeEnd: range.end, createRevision: Number(0))
    }

    static func isThere(_ key: Data) -> Compare {
        Compare(result: "GREATER", target: "CREATE", key: key, createRevision: Number(0))
    }

    static func holds(_ key: Data, _ value: Data) -> Compare {
        Compare(target: "VALUE", key: key, value: value)
    }
}

struct Operation: Encodable, Sendable {
    struct Put: Encodable, Sendable {
        var key: Data
        var value: Data
    }

    struct Delete: Encodable, Sendable {
        var key: Data
        /// Nil removes the key alone; else every key up to this one, excluded.
        var rangeEnd: Data?
    }

    var requestRange: RangeRequest?
    var requestPut: Put?
    var requestDeleteRange: Delete?
    var requestTxn: Transaction?

    /// - Parameter revision: 0 is the present.
    static func get(_ key: Data, at revision: Int64 = 0) -> Operation {
        Operation(requestRange: RangeRequest(key: key, revision: Number(revision)))
    }

    static func put(_ value: [UInt8], _ key: Data) -> Operation {
        Operation(requestPut: Put(key: key, value: Data(value)))
    }

    static func delete(_ key: Data) -> Operation { Operation(requestDeleteRange: Delete(key: key)) }

    /// However many keys there are, it is one operation.
    static func delete(_ range: KeyRange) -> Operation {
        Operation(requestDeleteRange: Delete(key: range.start, rangeEnd: range.end))
    }
}

struct Transaction: Encodable, Sendable {
    var compare: [Compare] = []
    var success: [Operation] = []
}

struct TransactionResponse: Decodable, Sendable {
    struct Part: Decodable, Sendable {
        struct Deleted: Decodable, Sendable { var deleted: Number? }

        var responseRange: RangeResponse?
        var responseDeleteRange: Deleted?
    }

    var header: Header?
    var succeeded: Bool?
    /// Of each operation, in their order.
    var responses: [Part]?
}

struct WatchRequest: Encodable, Sendable {
    struct Create: Encodable, Sendable {
        var key: Data
        /// Nil watches the key alone.
        var rangeEnd: Data?
        /// 0 begins with what comes next.
        var startRevision: Number
    }

    var createRequest: Create
}

struct WatchEvent: Decodable, Sendable {
    var type: String?
    var kv: KeyValue

    var isDeletion: Bool { type == "DELETE" }
}

/// One line of a watch.
struct WatchMessage: Decodable, Sendable {
    struct Result: Decodable, Sendable {
        var header: Header?
        var created: Bool?
        var canceled: Bool?
        var cancelReason: String?
        var compactRevision: Number?
        var events: [WatchEvent]?
    }

    var result: Result?
    var error: EtcdFailure?
}

/// An error as the gateway tells it; in a stream the code has another name.
struct EtcdFailure: Decodable, Sendable {
    var message: String?
    var code: Int?
    var grpcCode: Int?

    /// Whether the user has no right to it.
    var isForbidden: Bool { message?.contains("permission denied") == true }

    /// Whether the servers' room is used up, so that they take nothing but what removes something.
    var isForWantOfRoom: Bool { message?.contains("database space exceeded") == true }

    /// Whether the cluster asks who is there, and nobody was named.
    var isForWantOfUser: Bool { message?.contains("user name is empty") == true }

    /// Whether the servers are about to agree on another leader, or can't: a matter of a second or two, if a majority
    /// of them is there.
    var isForWantOfLeader: Bool {
        message.map { $0.contains("etcdserver: ") && $0.contains("leader") } ?? false
    }

    /// Whether the token is not known any more by which the servers knew the user; another one is had at once.
    var isForWantOfToken: Bool { message?.contains("invalid auth token") == true }

    enum Kind {
        /// The server can't answer at present; another may.
        case unavailable
        /// The token has expired, or there is none.
        case unknownCaller
        case refused
    }

    var kind: Kind {
        if isForWantOfUser || isForWantOfToken { return .unknownCaller }
        switch code ?? grpcCode {
        // Deadline exceeded, unavailable, and what a server says that is being stopped.
        case 4, 14, 1: return .unavailable
        default: return .refused
        }
    }
}

struct AuthenticateRequest: Encodable, Sendable {
    var name: String
    var password: String
}

struct AuthenticateResponse: Decodable, Sendable { var token: String? }
#endif
