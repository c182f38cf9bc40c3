/// Boxes a large value, so that copying its owner copies one reference.
///
/// Problem: the state of the editor is a value with hundreds of references, and each use of an optional part copies all
/// of them. Approach: a part is behind one reference, and is copied only when one of its two owners changes it. Without
/// it, a tenth of a frame's time would be spent on copies.
@propertyWrapper
struct Boxed<Value: Sendable>: Sendable {
    /// Unchecked: the value is changed only while a single `Boxed` has the box.
    private final class Box: @unchecked Sendable {
        // The owner is a structure, so Swift has checked already that accesses do not overlap.
        @exclusivity(unchecked) var value: Value
        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(wrappedValue: Value) { box = Box(wrappedValue) }

    var wrappedValue: Value {
        _read { yield box.value }
        _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
