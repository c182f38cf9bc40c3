import SettingsStore

/// Sets that are on their way, the oldest first: one as a rule.
struct OwnSets {
    private var sets: [(id: WriterID, update: AnyUpdate)] = []

    var isEmpty: Bool { sets.isEmpty }

    subscript(_ id: WriterID) -> AnyUpdate? {
        get { sets.first { $0.id == id }?.update }
        set {
            let index = sets.firstIndex { $0.id == id }
            switch (index, newValue) {
            case (let index?, let update?): sets[index].update = update
            case (let index?, nil) where index == sets.count - 1: sets.removeLast()
            case (let index?, nil): sets.remove(at: index)
            case (nil, let update?): sets.append((id, update))
            case (nil, nil): break
            }
        }
    }
}
