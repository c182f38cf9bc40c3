/// A value as a property shows it, with what stands behind it, whatever its type.
///
/// What orders values and hands them over is written for this, not for the type: code for a type that
/// is not known when it is compiled looks the type up again and again, which takes longer than all the
/// rest.
class AnyUpdate {
    let state: PDefaultsState
    let origin: PDefaultsOrigin

    fileprivate init(_ state: PDefaultsState, _ origin: PDefaultsOrigin) {
        self.state = state
        self.origin = origin
    }

    /// Puts the value in a place that holds none.
    func initializeValue(at place: UnsafeMutableRawPointer) { fatalError("for the update to say") }
}

/// The same, of one type.
final class Update<Value>: AnyUpdate {
    let value: Value

    required init(_ value: Value, _ state: PDefaultsState, _ origin: PDefaultsOrigin) {
        self.value = value
        super.init(state, origin)
    }

    override func initializeValue(at place: UnsafeMutableRawPointer) {
        place.initializeMemory(as: Value.self, to: value)
    }

    /// As those outside see it.
    var content: PDefaultsUpdate<Value> { PDefaultsUpdate(value: value, state: state, origin: origin) }
}

extension AnyUpdate {
    /// The update as one of the type of the property that it belongs to.
    func of<Value>(_ type: Value.Type) -> Update<Value> {
        // Every update of a property is made by that property.
        unsafeDowncast(self, to: Update<Value>.self)
    }
}
