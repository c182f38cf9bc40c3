import SettingsStore

/// A value of a property with its state and origin, without the type of the value.
///
/// Problem: Swift compiles generic code for a type that it does not know, and such code looks the type up at each use,
/// which takes longer than the rest of a delivery. Approach: everything that orders and delivers values uses this class
/// without a type. Without it, a set would take more than twice as long.
class AnyPropertyUpdate {
    let state: PDefaultsState
    let origin: PDefaultsOrigin
    let layer: SettingsLayer

    fileprivate init(_ state: PDefaultsState, _ origin: PDefaultsOrigin, _ layer: SettingsLayer) {
        self.state = state
        self.origin = origin
        self.layer = layer
    }

    /// Initializes memory with a copy of the value.
    func initializeValue(at memory: UnsafeMutableRawPointer) { fatalError("PropertyUpdate overrides this") }
}

/// A value of a property with its state and origin.
final class PropertyUpdate<Value>: AnyPropertyUpdate {
    let value: Value

    required init(
        _ value: Value,
        _ state: PDefaultsState,
        _ origin: PDefaultsOrigin,
        _ layer: SettingsLayer
    ) {
        self.value = value
        super.init(state, origin, layer)
    }

    override func initializeValue(at memory: UnsafeMutableRawPointer) {
        memory.initializeMemory(as: Value.self, to: value)
    }

    /// The update as the program sees it.
    var content: PDefaultsUpdate<Value> {
        PDefaultsUpdate(value: value, state: state, origin: origin, layer: layer)
    }
}

extension AnyPropertyUpdate {
    /// The update with the type of its property's values.
    func of<Value>(_ type: Value.Type) -> PropertyUpdate<Value> {
        // A property makes all of its updates itself.
        unsafeDowncast(self, to: PropertyUpdate<Value>.self)
    }
}
