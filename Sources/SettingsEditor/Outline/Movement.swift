/// A movement of the selection. The raw values are the names in the preferences.
public enum Movement: String, Sendable, Hashable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
}

extension Movement {
    /// The target of the movement in a list of `count` rows, repeated `times` times. The list must not be empty.
    func target(from place: Int, count: Int, page: Int, times: Int? = nil) -> Int {
        let number = times ?? 1
        let target =
            switch self {
            case .up: place - number
            case .down: place + number
            case .pageUp: place - number * max(1, page - 1)
            case .pageDown: place + number * max(1, page - 1)
            case .halfPageUp: place - number * max(1, page / 2)
            case .halfPageDown: place + number * max(1, page / 2)
            case .first: number - 1
            case .last: (times ?? count) - 1
            }
        return max(0, min(target, count - 1))
    }
}
