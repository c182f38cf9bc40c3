import Dispatch
import PropertyList
import SettingsStore

// An object changes without its property being set. If the object is an `ObservableObject`, the property stores what a
// `@Published` member is set to at once, and publishes it as the property's behaviour says.

/// The object that a property shows, with the subscriptions to its members.
///
/// Unchecked, since only the initializer changes it; for the object see ``Locked``.
final class FollowedObject: @unchecked Sendable {
    /// How long after an announcement a member may take to get its value.
    private static let patience = 1.0
    private static let checkInterval = 0.0002

    let object: AnyObject
    private let members = PublishedMembers()
    private var subscriptions: [AnyCancellable] = []
    /// Whether some queue is about to publish the object again.
    private let isScheduled = Locked(false)

    init(_ object: AnyObject, _ action: @escaping (FollowedObject) -> Void) {
        self.object = object
        subscriptions = members.follow(object) { [weak self] in if let self { action(self) } }
    }

    /// Runs the action once the members have their values: on the main queue, or on a thread of the system.
    ///
    /// OpenCombine announces a value before the member has it, and nothing after. So this looks again until the member
    /// has the value, without blocking a thread. On the main queue the first look is enough for all that the main
    /// thread itself sets.
    func whenMembersAreSet(onMainQueue: Bool, _ action: @escaping @Sendable () -> Void) {
        let deadline = DispatchTime.now() + Self.patience
        whenMembersAreSet(on: onMainQueue ? .main : .global(), .now(), deadline, action)
    }

    private func whenMembersAreSet(
        on queue: DispatchQueue,
        _ time: DispatchTime,
        _ deadline: DispatchTime,
        _ action: @escaping @Sendable () -> Void
    ) {
        let isFirst = isScheduled.withLock { isScheduled in
            defer { isScheduled = true }
            return !isScheduled
        }
        guard isFirst else { return }
        @Sendable func look() {
            // A member that is announced from here on is looked at again.
            isScheduled.withLock { $0 = false }
            if members.areSet || .now() > deadline { return action() }
            whenMembersAreSet(on: queue, .now() + Self.checkInterval, deadline, action)
        }
        if time > .now() {
            queue.asyncAfter(deadline: time, execute: look)
        } else {
            queue.async(execute: look)
        }
    }

    /// Encodes the object as it is once its members have the announced values.
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
        // The previous object is released outside the lock.
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
        if let place = declaration.place, let suite, let path = suite.lock(ofKey: place.key) {
            showLockedValue(place, in: suite)
            throw PDefaultsError(lockOf: place.key, by: path, at: suite.location)
        }
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
            change(to: update) { id in if !set(id) { publish(update, from: id) } }
        case .didSet:
            // The member gets its value after this call, so the object is published later.
            let id = WriterID()
            tracker.willChange()
            state.withLock { state in
                state.expose(update)
                if suite != nil { state.ignore(id) }
            }
            tracker.didChange()
            _ = set(id)
            let usesMainQueue = state.withLock(\.deliveries.usesMainQueueAlone)
            followed.whenMembersAreSet(onMainQueue: usesMainQueue) { self.publishAgain(followed) }
        }
    }

    /// Shows the value of a locked key in a new object, because a member of the previous one has changed.
    private func showLockedValue(_ place: PropertyConfiguration<Value>.Place, in suite: SettingsSuite) {
        let source = suite.sources(forKey: place.key).first { $0.layer > .registered }
        let locked = source.map { LayeredValue(value: $0.value, layer: $0.layer) }
        let (update, _) = readAny(locked, place, in: suite, .refused)
        change(to: update) { id in publish(update, from: id) }
    }

    /// Publishes an object whose members were set, if the property still shows it.
    private func publishAgain(_ followed: FollowedObject) {
        let update = state.withLock(\.exposed)
        if object(of: update) === followed.object { publishAgain(update) }
    }
}

/// The value as an object that announces its changes; nil for any other value.
func observableObject<Value>(_ value: Value) -> AnyObject? {
    value as? any ObservableObject
}
