import CNcurses
import TerminalCanvas

/// What the terminal can do of each style, in ncurses' terms.
struct Looks {
    struct Look {
        var attributes: attr_t
        var pair: Int16
    }

    /// 0 where there are none, or none are wanted.
    private let colors: Int
    private let hasStandardColors: Bool
    private var pairs: [Colors: Int16] = [:]
    private var looks: [Style: Look] = [:]

    private struct Colors: Hashable {
        var foreground: Int16
        var background: Int16
    }

    /// - Parameter isMonochrome: whether colours are left out though the terminal has some.
    init(isMonochrome: Bool) {
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
        var attributes: attr_t = 0
        if style.attributes.contains(.bold) { attributes |= cncurses_bold }
        if style.attributes.contains(.underline) { attributes |= cncurses_underline }
        if style.attributes.contains(.reverse) { attributes |= cncurses_reverse }
        let isDim = style.foreground == .brightBlack && colors < 16
        if isDim || style.attributes.contains(.dim) { attributes |= cncurses_dim }
        let look = Look(attributes: attributes, pair: pair(style.foreground, style.background))
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
        // Pair 0 is the terminal's own. All roles in all combinations need 80, a terminal of eight
        // colours has 64 pairs.
        let next = Int16(pairs.count + 1)
        guard next < min(cncurses_color_pairs(), 256) else { return 0 }
        guard init_pair(next, colors.foreground, colors.background) == OK else { return 0 }
        pairs[colors] = next
        return next
    }

    /// The colour's place in the terminal's palette; nil for its own foreground or background.
    private func number(of color: Color) -> Int16? {
        switch color {
        case .standard: nil
        case .black: 0
        case .red: 1
        case .green: 2
        case .yellow: 3
        case .blue: 4
        case .magenta: 5
        case .cyan: 6
        case .white: 7
        case .brightBlack: colors >= 16 ? 8 : nil
        }
    }
}
