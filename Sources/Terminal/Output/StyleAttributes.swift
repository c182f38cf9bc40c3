import CNcurses
import TerminalCanvas

/// Translates a ``Style`` into attributes and colour pairs of ncurses, as far as the terminal supports them.
struct StyleAttributes {
    struct Look {
        var attributes: attr_t
        var pair: Int16
    }

    var theme: Theme {
        didSet { looks = [:] }
    }
    /// The number of colours, or 0 if the terminal has none or the user wants none.
    let colors: Int
    private let hasStandardColors: Bool
    private let hasStrikeout: Bool
    private var pairs: [Colors: Int16] = [:]
    private var looks: [Style: Look] = [:]

    private struct Colors: Hashable {
        var foreground: Int16
        var background: Int16
    }

    /// Reads the abilities of the current terminal.
    ///
    /// - Parameter isMonochrome: Whether to use no colours even if the terminal has some.
    init(_ theme: Theme, isMonochrome: Bool) {
        self.theme = theme
        hasStrikeout = Strikeout() != nil
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
        if wanted.attributes.contains(.dim) { attributes |= cncurses_dim }
        // See Strikeout.
        if wanted.attributes.contains(.strikeout), hasStrikeout { attributes |= cncurses_italic }
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
        // Pair 0 is the terminal's default colours. A terminal with eight colours has 64 pairs.
        let next = Int16(pairs.count + 1)
        guard next < min(cncurses_color_pairs(), 256) else { return 0 }
        guard init_pair(next, colors.foreground, colors.background) == OK else { return 0 }
        pairs[colors] = next
        return next
    }

    /// The colour's index in the palette, or nil for the terminal's default colour.
    private func number(of color: Color) -> Int16? {
        if case .palette(let number) = color { Int16(number) } else { nil }
    }
}
