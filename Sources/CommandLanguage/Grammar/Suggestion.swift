/// Finds the word that the user probably meant, for messages such as "Did you mean “write”?".
///
/// A known word fits if it starts with the given one, or if at most two letters differ (one in a word of up to four
/// letters). An inserted, missing, changed or swapped letter counts as one.
///
/// - Parameter known: The words to choose from. The first of the best is returned.
func suggestion(for word: String, among known: [String]) -> String? {
    let word = word.lowercased()
    guard word.contains(where: \.isLetter), word.utf8.count <= longestWord else { return nil }
    if let start = known.first(where: { $0.hasPrefix(word) }) { return start }
    let allowed = word.count <= 4 ? 1 : 2
    let ranked = known.map { (distance(from: word, to: $0), $0) }.filter { $0.0 <= allowed }
    return ranked.min { $0.0 < $1.0 }?.1
}

/// No command, option or type is longer, so a longer word needs no comparison.
private let longestWord = 40

/// The number of letters to insert, remove, change or swap with their neighbour (optimal string alignment).
private func distance(from first: String, to second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for row in first.indices {
        var current = [row + 1]
        for column in second.indices {
            let changed = previous[column] + (first[row] == second[column] ? 0 : 1)
            var best = min(changed, previous[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                best = min(best, beforePrevious[column - 1] + 1)
            }
            current.append(best)
        }
        (beforePrevious, previous) = (previous, current)
    }
    return previous[second.count]
}
