import Glibc

// With this, a class that is `ObservableObject` and `Codable` needs no code of its own for its
// `@Published` members. OpenCombine leaves it out, as Combine does.

// swift-format-ignore: AvoidRetroactiveConformances
extension Published: @retroactive Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(initialValue: try Value(from: decoder)) }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Published: @retroactive Encodable where Value: Encodable {
    public func encode(to encoder: any Encoder) throws {
        var copy = self
        let publisher = copy.projectedValue
        if let coming = PublishedMembers.encoding?.latest(of: publisher) {
            return try coming.encode(to: encoder)
        }
        // The value can only be had from the publisher, which sends it at once.
        var value: Value?
        publisher.sink { value = $0 }.cancel()
        try value?.encode(to: encoder)
    }
}

/// The `@Published` members of one object, each with the last value that it was set to.
///
/// A member announces its value before it has it. While the object is encoded on that occasion, this
/// stands in for it.
final class PublishedMembers: Sendable {
    @TaskLocal static var encoding: PublishedMembers?

    private struct Announced {
        let value: Any
        let isThere: () -> Bool
    }

    private let announced = Locked<[ObjectIdentifier: Announced]>([:])

    fileprivate func latest<Value>(of publisher: Published<Value>.Publisher) -> Value? {
        guard let id = identity(of: publisher), let entry = announced.withLock({ $0[id] }) else { return nil }
        return entry.value as? Value
    }

    fileprivate func note<Value>(_ value: Value, of publisher: Published<Value>.Publisher) {
        guard let id = identity(of: publisher) else { return }
        let entry = Announced(value: value) {
            var current: Value?
            publisher.sink { current = $0 }.cancel()
            return current.map { isSame($0, value) } ?? true
        }
        // What was there goes away outside the lock.
        _ = announced.withLock { $0.updateValue(entry, forKey: id) }
    }

    /// Waits until the members have what they were set to, which whoever sets them sees to as soon as all
    /// are told; or for as long as is said.
    func waitUntilSet(atMost seconds: Double) {
        let pause: useconds_t = 50
        var pausesLeft = Int(seconds * 1_000_000) / Int(pause)
        for entry in announced.withLock({ Array($0.values) }) {
            while pausesLeft > 0, !entry.isThere() {
                usleep(pause)
                pausesLeft -= 1
            }
        }
    }

    /// Calls the action before each change of a member, for as long as the result is held.
    func follow(_ object: AnyObject, _ action: @escaping () -> Void) -> [AnyCancellable] {
        var subscriptions: [AnyCancellable] = []
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            for case let member as any PublishedMember in current.children.lazy.map(\.value) {
                subscriptions.append(member.follow(self, action))
            }
            mirror = current.superclassMirror
        }
        return subscriptions
    }
}

/// What all copies of a publisher share.
private func identity<Value>(of publisher: Published<Value>.Publisher) -> ObjectIdentifier? {
    Mirror(reflecting: publisher).children.first.map { ObjectIdentifier($0.value as AnyObject) }
}

/// Whether two values are the same in memory, or equal.
private func isSame<Value>(_ a: Value, _ b: Value) -> Bool {
    let haveSameBytes = withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { a.elementsEqual($0) } }
    func isEqual<Element: Equatable>(_ a: Element) -> Bool { a == b as? Element }
    return haveSameBytes || (a as? any Equatable).map { isEqual($0) } ?? false
}

/// `Published`, whatever its value.
private protocol PublishedMember {
    func follow(_ members: PublishedMembers, _ action: @escaping () -> Void) -> AnyCancellable
}

extension Published: PublishedMember {
    fileprivate func follow(_ members: PublishedMembers, _ action: @escaping () -> Void) -> AnyCancellable {
        var copy = self
        let publisher = copy.projectedValue
        return publisher.dropFirst().sink {
            members.note($0, of: publisher)
            action()
        }
    }
}
