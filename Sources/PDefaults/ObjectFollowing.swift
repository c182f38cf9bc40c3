import Dispatch
import PropertyList
import SettingsStore

// An object changes without its property being set: where it is an `ObservableObject`, what its
// `@Published` members are set to is stored at once, and published as the property's behaviour says.

/// The object that a property shows, with what tells of its changes.
///
/// Unchecked, since it is changed only while it is made; for the object see ``Locked``.
final class FollowedObject: @unchecked Sendable {
    let object: AnyObject
    private let members = PublishedMembers()
    private var subscriptions: [AnyCancellable] = []
    /// Whether somebody is on the way to tell of this object.
    private let isToBeTold = Locked(false)

    init(_ object: AnyObject, _ action: @escaping (FollowedObject) -> Void) {
        self.object = object
        subscriptions = members.follow(object) { [weak self] in if let self { action(self) } }
    }

    /// Has another thread, or the main queue, tell of what is set until then.
    func tellLater(onMainQueue: Bool, _ action: @escaping @Sendable () -> Void) {
        let isFirst = isToBeTold.withLock { isToBeTold in
            defer { isToBeTold = true }
            return !isToBeTold
        }
        guard isFirst else { return }
        @Sendable func tell() {
            isToBeTold.withLock { $0 = false }
            // On the main queue what the main thread was doing is over, and others are to be brief.
            members.waitUntilSet(atMost: onMainQueue ? 0.01 : 1)
            action()
        }
        if onMainQueue { MainQueue.run(tell) } else { DispatchQueue.global().async(execute: tell) }
    }

    /// Encodes the object as it is once its members have what they were set to.
    func encoding<Result>(_ body: () throws(PDefaultsError) -> Result) throws(PDefaultsError) -> Result {
        let outcome = PublishedMembers.$encoding.withValue(members) {
            () -> Swift.Result<Result, PDefaultsError> in
            do throws(PDefaultsError) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

extension Property {
    func follow(_ object: AnyObject?) {
        if followed.withLock({ $0?.object }) === object { return }
        let new = object.map { object in
            FollowedObject(object) { [weak self] in self?.memberWillChange(of: $0) }
        }
        let old = followed.withLock { followed in
            defer { followed = new }
            return followed
        }
        // It ends outside the lock.
        withExtendedLifetime(old) {}
    }

    private func memberWillChange(of followed: FollowedObject) {
        let value = state.withLock(\.exposed).of(Value.self).value
        guard observableObject(value) === followed.object else { return }
        do throws(PDefaultsError) {
            try store(value, followed)
        } catch {
            PDefaultsConfiguration.report(error)
        }
    }

    private func store(_ value: Value, _ followed: FollowedObject) throws(PDefaultsError) {
        let suite = connectedSuite()
        let update = stored(value, .thisProperty)
        var encoded: PropertyListValue?
        if let place = declaration.place {
            encoded = try followed.encoding { () throws(PDefaultsError) in
                try declaration.encode(value, place)
            }
        }
        func set(_ id: WriterID) -> Bool {
            guard let place = declaration.place, let suite else { return false }
            suite.setChecked(encoded, forKey: place.key, origin: .set(by: id))
            return true
        }
        switch declaration.behavior {
        case .willSet:
            change(to: update) { id in if !set(id) { deliver(.update(update, id)) } }
        case .didSet:
            // Nobody says when the member has its value: after this, and soon. What is put on the main queue
            // now comes after what the main thread is doing.
            let id = WriterID()
            tracker.willChange()
            state.withLock { state in
                state.expose(update)
                if suite != nil { state.ignore(id) }
            }
            tracker.didChange()
            _ = set(id)
            let isForMainQueue = state.withLock(\.tellsMainQueueAlone)
            followed.tellLater(onMainQueue: isForMainQueue) { self.deliver(.members(of: followed)) }
        }
    }
}

/// The object that a value is, where it tells of its changes.
func observableObject<Value>(_ value: Value) -> AnyObject? {
    value as? any ObservableObject
}
