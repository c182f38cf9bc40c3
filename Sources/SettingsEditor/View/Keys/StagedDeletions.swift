import PropertyList

/// A value inside a key that will be deleted when the staged changes are saved.
struct StagedDeletion {
    let value: ValueNode
    /// The path in the stored value, from the container that is asked about.
    let path: ValuePath
    /// The name of a member; empty for an element, whose index tells little.
    let name: String
    /// Whether the container itself has the value.
    let isDirect: Bool
}

extension SuiteModel {
    /// The values below a row that will be deleted. The row of a deleted key is not among them.
    func deletions(below path: ValuePath) -> [StagedDeletion] {
        guard let places = layers.stagedPlaces[path.key] else { return [] }
        let inside = path.inside.steps
        return places.compactMap { place in
            guard place.new == nil, let value = place.old, place.target.steps.count > inside.count,
                place.target.steps.starts(with: inside)
            else { return nil }
            let rest = Array(place.path.steps.dropFirst(inside.count))
            let names = rest.compactMap(\.name)
            return StagedDeletion(
                value: value,
                path: ValuePath(rest),
                name: names.joined(separator: "/"),
                isDirect: rest.count == 1
            )
        }
    }
}
