import TerminalCanvas

// Values beside each other, of which what differs is to be seen.
extension Painter {
    /// The texts without most of what all of them begin with: the lines, and of the first that differs the
    /// characters. An ellipsis stands for these; the lines that what follows is set in below stay.
    func fromFirstDifference(_ texts: [(title: String, text: String)]) -> [(title: String, text: String)] {
        var all = texts.map {
            $0.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        guard let first = all.first, let fewest = all.map(\.count).min() else { return texts }
        let shared = (0..<fewest).prefix { line in all.allSatisfy { $0[line] == first[line] } }.count
        if all.allSatisfy({ shared < $0.count }) {
            let characters = commonPrefix(all.map { $0[shared] })
            if characters > 2 * Self.context {
                for place in all.indices {
                    all[place][shared] = ellipsis + all[place][shared].dropFirst(characters - Self.context)
                }
            }
        }
        guard shared > 3, !all.allSatisfy({ $0.count == shared }) else { return joined(texts, all) }
        let start = shared - 2
        var above: [String] = []
        var indent = self.indent(first[start])
        for line in first[..<start].reversed() where self.indent(line) < indent {
            above.insert(line, at: 0)
            indent = self.indent(line)
        }
        return joined(texts, all.map { above + [ellipsis] + $0[start...] })
    }

    /// The characters of a line that are shown before those that differ.
    private static let context = 20

    private var ellipsis: String { String(glyphs.ellipsis) }

    private func joined(
        _ texts: [(title: String, text: String)],
        _ lines: [[String]]
    ) -> [(title: String, text: String)] {
        zip(texts, lines).map { ($0.title, $1.joined(separator: "\n")) }
    }

    private func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }

    private func commonPrefix(_ lines: [String]) -> Int {
        guard let first = lines.first else { return 0 }
        return lines.dropFirst().reduce(first.count) { count, line in
            min(count, zip(first, line).prefix { $0 == $1 }.count)
        }
    }
}
