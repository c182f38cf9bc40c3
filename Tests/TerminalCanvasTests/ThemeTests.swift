import TerminalCanvas
import Testing

@Suite("Themes")
struct ThemeTests {
    /// A colour with components from 0 to 255.
    struct RGB: Sendable {
        let red, green, blue: Int

        init(_ number: Int) { (red, green, blue) = (number >> 16, number >> 8 & 0xFF, number & 0xFF) }

        /// The relative luminance as defined by WCAG 2.
        private var luminance: Double {
            func linear(_ part: Int) -> Double {
                let value = Double(part) / 255
                return value <= 0.04045 ? value / 12.92 : Self.power((value + 0.055) / 1.055)
            }
            return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        }

        /// Returns the value to the power of 2.4: the fifth root of its twelfth power, by Newton's method.
        private static func power(_ value: Double) -> Double {
            let squared = value * value
            var root = 1.0
            for _ in 0..<60 {
                root -= (root * root * root * root * root - squared) / (5 * root * root * root * root)
            }
            return squared * root
        }

        /// Returns the contrast ratio, from 1 to 21.
        func contrast(to other: RGB) -> Double {
            let (a, b) = (luminance + 0.05, other.luminance + 0.05)
            return max(a, b) / min(a, b)
        }
    }

    /// The first sixteen colours of xterm, the Linux console and GNOME Terminal.
    static let palettes = [
        [
            0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F,
            0xFF0000,
            0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
        ],
        [
            0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA, 0x555555,
            0xFF5555,
            0x55FF55, 0xFFFF55, 0x5555FF, 0xFF55FF, 0x55FFFF, 0xFFFFFF,
        ],
        [
            0x171421, 0xC01C28, 0x26A269, 0xA2734C, 0x12488B, 0xA347BA, 0x2AA1B3, 0xD0CFCC, 0x5E5C64,
            0xF66151,
            0x33DA7A, 0xE9AD0C, 0x2A7BDE, 0xC061CB, 0x33C7DE, 0xFFFFFF,
        ],
    ]

    /// The background and text colours of common dark and light schemes.
    static let dark = [
        (0x000000, 0xE5E5E5), (0x1E1E1E, 0xD4D4D4), (0x282C34, 0xABB2BF), (0x2E3436, 0xD3D7CF),
    ]
    static let light = [(0xFFFFFF, 0x000000), (0xFDF6E3, 0x586E75), (0xEEEEEC, 0x2E3436)]

    static func color(_ color: Color, _ palette: [Int], standard: Int) -> RGB {
        guard case .palette(let number) = color else { return RGB(standard) }
        switch Int(number) {
        case let number where number < 16: return RGB(palette[number])
        case let number where number >= 232:
            let grey = 8 + 10 * (number - 232)
            return RGB(grey << 16 | grey << 8 | grey)
        case let number:
            let levels = [0, 95, 135, 175, 215, 255]
            let cube = number - 16
            return RGB(levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6])
        }
    }

    /// A theme with its own background is compared with that one. Any other theme is compared with those of common
    /// schemes.
    static func grounds(of theme: Theme, colors: Int) -> [(ground: Int, letters: Int)] {
        guard theme.look(of: .plain, colors: colors) == Look() else { return [(0, 0)] }
        return theme == .light ? light : dark
    }

    @Test(
        "Every style is readable on common backgrounds, with 256 colours and with 16",
        arguments: [
            (Theme.dark, 256, 4.5), (.dark, 16, 3), (.light, 256, 4.5), (.light, 16, 3), (.light, 8, 3),
            (.gruvbox, 256, 4.5), (.gruvbox, 16, 3), (.solarized, 256, 4.5), (.solarized, 16, 3),
            (.sixteen, 256, 3), (.sixteen, 16, 3), (.mono, 256, 4.5), (.mono, 16, 4.5),
        ]
    )
    func contrast(theme: Theme, colors: Int, least: Double) {
        for (ground, letters) in Self.grounds(of: theme, colors: colors) {
            for palette in Self.palettes {
                for style in Style.allCases {
                    let look = theme.look(of: style, colors: colors)
                    // The terminal's default colours are the user's choice.
                    if look.foreground == .standard, look.background == .standard { continue }
                    let foreground = Self.color(look.foreground, palette, standard: letters)
                    let background = Self.color(look.background, palette, standard: ground)
                    let contrast = foreground.contrast(to: background)
                    #expect(contrast >= least, "\(style) on \(String(ground, radix: 16)): \(contrast)")
                }
            }
        }
    }

    @Test("Every choice but the automatic one has a theme, and T reaches all of them")
    func choices() {
        var seen: [ThemeChoice] = [.auto]
        while seen.last?.next != .auto { seen.append(seen.last?.next ?? .auto) }
        #expect(seen == ThemeChoice.allCases)
        #expect(Set(seen.compactMap(\.theme)).count == seen.count - 1)
        #expect(Set(seen.map(\.name)).count == seen.count)
    }

    @Test("The contrast is computed as in WCAG")
    func measure() {
        #expect(abs(RGB(0).contrast(to: RGB(0xFFFFFF)) - 21) < 0.001)
        #expect(abs(RGB(0x777777).contrast(to: RGB(0xFFFFFF)) - 4.478) < 0.001)
    }

    static let all = [Theme.standard] + ThemeChoice.allCases.compactMap(\.theme)

    @Test(
        "Every style differs from plain text, with any number of colours",
        arguments: all,
        [0, 8, 16, 88, 256]
    )
    func distinct(theme: Theme, colors: Int) {
        let plain = theme.look(of: .plain, colors: colors)
        // The colours of values only repeat what the column of types says.
        for style in Style.allCases where style != .plain && !Style.ofValues.contains(style) {
            #expect(theme.look(of: style, colors: colors) != plain, "\(style)")
        }
        for (one, other): (Style, Style) in [
            (.title, .selected), (.selected, .selectedElsewhere), (.heading, .columnHead),
            (.staged, .deleted), (.field, .found),
        ] {
            #expect(theme.look(of: one, colors: colors) != theme.look(of: other, colors: colors), "\(one)")
        }
    }

    /// The pairs of styles that look different.
    private static func distinctions(of theme: Theme, colors: Int) -> Set<Set<Style>> {
        let looks = Dictionary(
            uniqueKeysWithValues: Style.allCases.map { ($0, theme.look(of: $0, colors: colors)) }
        )
        return Set(
            looks.flatMap { one, look in looks.filter { $0.value != look }.map { Set([one, $0.key]) } }
        )
    }

    @Test(
        "Two styles that a theme distinguishes with 256 colours are also distinct with 16 and with 8",
        arguments: all,
        [16, 8]
    )
    func depths(theme: Theme, colors: Int) {
        let lost = Self.distinctions(of: theme, colors: 256)
            .subtracting(Self.distinctions(of: theme, colors: colors))
        #expect(lost.isEmpty, "\(lost)")
    }

    @Test(
        "An unknown terminal distinguishes everything that the dark theme distinguishes",
        arguments: [256, 16, 8]
    )
    func unknown(colors: Int) {
        let lost = Self.distinctions(of: .dark, colors: 256)
            .subtracting(Self.distinctions(of: .standard, colors: colors))
        #expect(lost.isEmpty, "\(lost)")
    }

    @Test(
        "With many colours, values of different types look different",
        arguments: all.filter { $0 != .mono }
    )
    func values(theme: Theme) {
        let looks = Style.ofValues.map { theme.look(of: $0, colors: 256) }
        #expect(Set(looks).count >= 5, "\(looks)")
    }
}
