// etcd speaks gRPC, and offers the same calls as JSON over HTTP (etcd's rpc.proto and its JSON gateway). These are
// the messages that ClusterStore uses. The JSON has names with underscores, 64-bit numbers as strings and bytes as
// Base64; a number that is 0 and a flag that is false are left out.
//
// A gRPC library would need generated code, and about ten more packages, for these few messages.

#if Cluster
import FoundationEssentials

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

/// A 64-bit number, which the gateway writes as a string.
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
    /// The revision to read at; 0 reads the present.
    var revision: Number?
    var keysOnly: Bool?
    /// Whether the server may answer from its own copy, which may be old.
    var serializable: Bool?
    /// Leaves out keys that were last changed before this revision.
    var minModRevision: Number?
}

struct RangeResponse: Decodable, Sendable {
    var header: Header?
    var kvs: [KeyValue]?
    /// The number of keys in the range, including those that `minModRevision` left out.
    var count: Number?
}

/// One condition of a transaction.
struct Compare: Encodable, Sendable {
    var result = "EQUAL"
    var target: String
    var key: Data
    /// nil compares one key. Otherwise every existing key from `key` up to and without this one is compared.
    var rangeEnd: Data?
    // Exactly one of these three is set: the operand of the comparison.
    var modRevision: Number?
    var createRevision: Number?
    var value: Data?

    /// True if the key was last changed at this revision; 0 means that the key does not exist.
    static func changed(_ key: Data, at revision: Int64) -> Compare {
        Compare(target: "MOD", key: key, modRevision: Number(revision))
    }

    /// True if no existing key in the range was changed after this revision. Removed keys do not count.
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

    /// True if the range has no key. An existing key has a creation revision above 0.
    static func isEmpty(_ range: KeyRange) -> Compare {
        Compare(target: "CREATE", key: range.start, rangeEnd: range.end, createRevision: Number(0))
    }

    /// True if the key has this value.
    static func holds(_ key: Data, _ value: Data) -> Compare {
        Compare(target: "VALUE", key: key, value: value)
    }
}

/// One operation of a transaction; exactly one member is set.
struct Operation: Encodable, Sendable {
    struct Put: Encodable, Sendable {
        var key: Data
        var value: Data
    }

    struct Delete: Encodable, Sendable {
        var key: Data
        /// nil removes one key. Otherwise every key from `key` up to and without this one is removed.
        var rangeEnd: Data?
    }

    var requestRange: RangeRequest?
    var requestPut: Put?
    var requestDeleteRange: Delete?
    var requestTxn: Transaction?

    /// - Parameter revision: 0 reads the present.
    static func get(_ key: Data, at revision: Int64 = 0) -> Operation {
        Operation(requestRange: RangeRequest(key: key, revision: Number(revision)))
    }

    static func put(_ value: [UInt8], _ key: Data) -> Operation {
        Operation(requestPut: Put(key: key, value: Data(value)))
    }

    static func delete(_ key: Data) -> Operation { Operation(requestDeleteRange: Delete(key: key)) }

    /// Counts as one operation, however many keys are in the range.
    static func delete(_ range: KeyRange) -> Operation {
        Operation(requestDeleteRange: Delete(key: range.start, rangeEnd: range.end))
    }
}

/// Operations that etcd carries out in one step if all conditions hold, and not at all otherwise.
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
    /// The results of the operations, in their order.
    var responses: [Part]?
}

struct WatchRequest: Encodable, Sendable {
    struct Create: Encodable, Sendable {
        var key: Data
        /// nil watches one key.
        var rangeEnd: Data?
        /// The first revision to report; 0 reports only new changes.
        var startRevision: Number
    }

    var createRequest: Create
}

struct WatchEvent: Decodable, Sendable {
    var type: String?
    var kv: KeyValue

    var isDeletion: Bool { type == "DELETE" }
}

/// One line of a watch stream.
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

/// An error from etcd. An answer has its number in `code`, a stream in `grpcCode`.
struct EtcdFailure: Decodable, Sendable {
    var message: String?
    var code: Int?
    var grpcCode: Int?

    /// Whether the user lacks the permission.
    var isForbidden: Bool { message?.contains("permission denied") == true }

    /// Whether the servers' storage quota is used up. They then accept only transactions that remove something.
    var isOutOfSpace: Bool { message?.contains("database space exceeded") == true }

    /// Whether the cluster requires a user, and the request named none.
    var lacksUser: Bool { message?.contains("user name is empty") == true }

    /// Whether the servers have no leader at present. An election takes a second or two if a majority of them runs.
    var lacksLeader: Bool {
        message.map { $0.contains("etcdserver: ") && $0.contains("leader") } ?? false
    }

    /// Whether the servers do not know the request's token any more. A new login gives another one.
    var hasInvalidToken: Bool { message?.contains("invalid auth token") == true }

    enum Kind {
        /// This server cannot answer at present; another one may.
        case unavailable
        /// The token has expired or is missing.
        case needsLogin
        /// Asking again would give the same answer.
        case refused
    }

    var kind: Kind {
        if lacksUser || hasInvalidToken { return .needsLogin }
        switch code ?? grpcCode {
        // gRPC's codes for deadline exceeded, unavailable, and cancelled; a server that stops sends the last one.
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
