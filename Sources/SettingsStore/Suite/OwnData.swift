// A `Data` may have a deallocator of the program, which runs wherever the last reference is released: in a suite's state,
// in the notifications that wait, in a commit. So no such `Data` enters a suite: whatever is set is copied first. Without
// this, a deallocator that uses the suite would wait for the lock that its own thread holds.

import FoundationEssentials
import PropertyList

extension PropertyListValue {
    /// The value, with each `Data` in it copied into memory of the library. What is nested deeper than a file can have
    /// it stays as it is: the storage refuses it.
    var withOwnData: PropertyListValue { ownData(levels: PropertyListLimits().depth) ?? self }

    /// nil if there is no `Data` in the value, which is not copied then.
    private func ownData(levels: Int) -> PropertyListValue? {
        switch self {
        case .data(let data):
            return .data(data.withUnsafeBytes { Data($0) })
        case .array(let elements) where levels > 0:
            var copy: [PropertyListValue]?
            for (index, element) in elements.enumerated() {
                guard let own = element.ownData(levels: levels - 1) else { continue }
                if copy == nil { copy = elements }
                copy?[index] = own
            }
            return copy.map { .array($0) }
        case .dictionary(let members) where levels > 0:
            var copy: [String: PropertyListValue]?
            for (key, member) in members {
                guard let own = member.ownData(levels: levels - 1) else { continue }
                if copy == nil { copy = members }
                copy?[key] = own
            }
            return copy.map { .dictionary($0) }
        default:
            return nil
        }
    }
}
