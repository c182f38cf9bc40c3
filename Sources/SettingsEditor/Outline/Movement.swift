/// A movement of the selection.
public enum Movement: Sendable, Hashable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last
    /// To the next or previous row with the same parent.
    case nextSibling, previousSibling
}

extension Movement {
    /// The target of the movement in a list of `count` rows, repeated `times` times. The list must not be empty.
    func target(from place: Int, count: Int, page: Int, times: Int? = nil) -> Int {
        let number = times ?? 1
        let target =
            switch self {
            case .up, .previousSibling: place - number
            case .down, .nextSibling: place + number
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
