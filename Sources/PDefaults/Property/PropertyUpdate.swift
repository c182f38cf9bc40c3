import SettingsStore
import Synchronization

/// A value of a property with its state and origin, without the type of the value.
///
/// Problem: Swift compiles generic code for a type that it does not know, and such code looks the type up at each use,
/// which takes longer than the rest of a delivery. Approach: everything that orders and delivers values uses this class
/// without a type. Without it, a set would take more than twice as long.
class AnyPropertyUpdate {
    let origin: PDefaultsOrigin
    private let firstState: PDefaultsState
    private let firstLayer: SettingsLayer
    /// The number of the layer that has had the value since; 0 while the first one has it.
    private let laterLayer = Atomic<UInt8>(0)

    fileprivate init(_ state: PDefaultsState, _ origin: PDefaultsOrigin, _ layer: SettingsLayer) {
        firstState = state
        firstLayer = layer
        self.origin = origin
    }

    var layer: SettingsLayer {
        let number = Int(laterLayer.load(ordering: .relaxed))
        return number == 0 ? firstLayer : SettingsLayer.allCases[number - 1]
    }

    var state: PDefaultsState {
        switch firstState {
        case .stored, .argument: layer == .arguments ? .argument : .stored
        case .default, .undecodable, .invalid: firstState
        }
    }

    /// Notes that another layer gives an equal value from now on. A default that shows in place of that value stays the
    /// default.
    func move(to layer: SettingsLayer) {
        switch firstState {
        case .stored, .argument:
            let index = SettingsLayer.allCases.firstIndex(of: layer) ?? 0
            laterLayer.store(UInt8(index + 1), ordering: .relaxed)
        case .default, .undecodable, .invalid: break
        }
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
