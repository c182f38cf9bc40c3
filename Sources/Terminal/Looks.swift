import CNcurses
import TerminalCanvas

/// What the terminal can do of each style, in ncurses' terms.
struct Looks {
    struct Look {
        var attributes: attr_t
        var pair: Int16
    }

    var theme: Theme {
        didSet { looks = [:] }
    }
    /// 0 where there are none, or none are wanted.
    let colors: Int
    private let hasStandardColors: Bool
    private var pairs: [Colors: Int16] = [:]
    private var looks: [Style: Look] = [:]

    private struct Colors: Hashable {
        var foreground: Int16
        var background: Int16
    }

    /// - Parameter isMonochrome: whether colours are left out though the terminal has some.
    init(_ theme: Theme, isMonochrome: Bool) {
        self.theme = theme
        guard !isMonochrome, has_colors(), start_color() == OK else {
            colors = 0
            hasStandardColors = false
            return
        }
        colors = Int(cncurses_colors())
        hasStandardColors = use_default_colors() == OK
    }

    mutating func look(of style: Style) -> Look {
        if let known = looks[style] { return known }
        let wanted = theme.look(of: style, colors: colors)
        var attributes: attr_t = 0
        if wanted.attributes.contains(.bold) { attributes |= cncurses_bold }
        if wanted.attributes.contains(.underline) { attributes |= cncurses_underline }
        if wanted.attributes.contains(.reverse) { attributes |= cncurses_reverse }
        if wanted.attributes.contains(.dim) { attributes |= cncurses_dim }
        let look = Look(attributes: attributes, pair: pair(wanted.foreground, wanted.background))
        looks[style] = look
        return look
    }

    private mutating func pair(_ foreground: Color, _ background: Color) -> Int16 {
        guard colors >= 8 else { return 0 }
        let colors = Colors(
            foreground: number(of: foreground) ?? (hasStandardColors ? -1 : 7),
            background: number(of: background) ?? (hasStandardColors ? -1 : 0)
        )
        if colors == Colors(foreground: -1, background: -1) { return 0 }
        if let known = pairs[colors] { return known }
        // Pair 0 is the terminal's own; a terminal of eight colours has 64 pairs.
        let next = Int16(pairs.count + 1)
        guard next < min(cncurses_color_pairs(), 256) else { return 0 }
        guard init_pair(next, colors.foreground, colors.background) == OK else { return 0 }
        pairs[colors] = next
        return next
    }

    /// The colour's place in the terminal's palette; nil for its own foreground or background.
    private func number(of color: Color) -> Int16? {
        if case .palette(let number) = color { Int16(number) } else { nil }
    }
}
