// With this, a class that is `ObservableObject` and `Codable` needs no code of its own for its `@Published` members.
// Our own code, since neither Combine nor OpenCombine makes `Published` conform to `Codable`.

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
        // Only the publisher has the value, and sends it on subscription.
        var value: Value?
        publisher.sink { value = $0 }.cancel()
        try value?.encode(to: encoder)
    }
}

/// The `@Published` members of one object, each with the last value that it announced.
///
/// A member announces a value before it has the value. If the object is encoded at that moment, the announced value is
/// encoded in place of the member's.
final class PublishedMembers: Sendable {
    @TaskLocal static var encoding: PublishedMembers?

    private struct Announced {
        let value: Any
        let isSet: () -> Bool
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
        // The previous value is released outside the lock.
        _ = announced.withLock { $0.updateValue(entry, forKey: id) }
    }

    /// Whether all members have the values that they announced.
    var areSet: Bool {
        // Without the lock, since a member's value may have an `==` of the program.
        announced.withLock({ Array($0.values) }).allSatisfy { $0.isSet() }
    }

    /// Calls the action before each change of a member, until the result is released.
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

/// The identity of the object that all copies of a publisher share.
private func identity<Value>(of publisher: Published<Value>.Publisher) -> ObjectIdentifier? {
    Mirror(reflecting: publisher).children.first.map { ObjectIdentifier($0.value as AnyObject) }
}

/// Whether two values have the same bytes, or are equal.
private func isSame<Value>(_ a: Value, _ b: Value) -> Bool {
    let haveSameBytes = withUnsafeBytes(of: a) { a in withUnsafeBytes(of: b) { a.elementsEqual($0) } }
    func isEqual<Element: Equatable>(_ a: Element) -> Bool { a == b as? Element }
    return haveSameBytes || (a as? any Equatable).map { isEqual($0) } ?? false
}

/// `Published` without the type of its value.
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
