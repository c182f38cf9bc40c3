/// The looks of all ``Style``s, for terminals with many, few or no colours.
public struct Theme: Sendable, Hashable {
    public let name: String
    /// The looks for at least 256 colours, for at least 16, and for fewer or none.
    private let full: [Style: Look]
    private let basic: [Style: Look]
    private let plain: [Style: Look]

    /// Returns the look of a style. A style that the theme does not list looks like ``Style/plain``.
    ///
    /// - Parameter colors: The number of colours of the terminal.
    public func look(of style: Style, colors: Int) -> Look {
        let looks = colors >= 256 ? full : colors >= 16 ? basic : plain
        return looks[style] ?? Look()
    }
}

/// The colours and attributes of a cell.
public struct Look: Sendable, Hashable {
    public var foreground: Color
    public var background: Color
    public var attributes: Attributes

    public init(
        _ foreground: Color = .standard,
        on background: Color = .standard,
        _ attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// Attributes that terminals support. A terminal ignores those that it does not have.
    public struct Attributes: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let underline = Attributes(rawValue: 4)
        public static let reverse = Attributes(rawValue: 8)
    }
}

/// A foreground or background colour.
public enum Color: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The terminal's default foreground or background.
    case standard
    /// A colour of the terminal's palette: 0 to 7, 8 to 15 for their bright forms, and from 16 on the fixed
    /// colours of terminals with 256 colours.
    case palette(UInt8)

    public init(integerLiteral number: UInt8) { self = .palette(number) }
}

extension Theme {
    /// The theme for an unknown terminal. It uses the terminal's own palette, which the user has made
    /// readable.
    public static let standard = Theme(name: "standard", full: looks, basic: looks, plain: looks)

    /// The theme for light text on a dark background.
    public static let dark = Theme(
        name: "dark",
        full: [
            .title: Look(255, on: 24, .bold), .heading: Look(117, .bold), .faint: Look(247), .type: Look(79),
            .changed: Look(221, .bold), .problem: Look(210, .bold), .field: Look(231, on: 238, .underline),
            .found: Look(16, on: 221),
            .selected: Look(231, on: 25), .selectedElsewhere: Look(255, on: 238, .bold),
        ],
        basic: [
            .title: Look(.reverse), .heading: Look(14, .bold), .faint: Look(.dim), .type: Look(10),
            .changed: Look(11, .bold), .problem: Look(9, .bold), .field: Look(.underline),
            .found: Look([.bold, .underline]),
            .selected: Look(.reverse), .selectedElsewhere: Look(.bold),
        ],
        plain: looks
    )

    /// The theme for dark text on a light background.
    public static let light = Theme(
        name: "light",
        full: [
            .title: Look(231, on: 24, .bold), .heading: Look(24, .bold), .faint: Look(241), .type: Look(23),
            .changed: Look(94, .bold), .problem: Look(124, .bold), .field: Look(16, on: 254, .underline),
            .found: Look(16, on: 222),
            .selected: Look(231, on: 25), .selectedElsewhere: Look(16, on: 253, .bold),
        ],
        basic: fewOnLight,
        plain: fewOnLight
    )

    /// Leaves out green, yellow and cyan, which are hard to read on a light background.
    private static let fewOnLight: [Style: Look] = [
        .title: Look(.reverse), .heading: Look(.bold), .faint: Look(.dim), .type: Look(4),
        .changed: Look(5, .bold), .problem: Look(1, .bold), .field: Look(.underline),
        .found: Look([.bold, .underline]),
        .selected: Look(.reverse), .selectedElsewhere: Look(.bold),
    ]

    private static let looks: [Style: Look] = [
        .title: Look(.reverse), .heading: Look(.bold), .faint: Look(.dim), .type: Look(6),
        .changed: Look(3, .bold), .problem: Look(1, .bold), .field: Look(.underline),
        .found: Look([.bold, .underline]),
        .selected: Look(.reverse), .selectedElsewhere: Look(.bold),
    ]
}

extension Look {
    fileprivate init(_ attributes: Attributes) { self.init(.standard, attributes) }
    fileprivate init(_ foreground: Color, _ attributes: Attributes) {
        self.init(foreground, on: .standard, attributes)
    }
}

/// The user's choice of a theme.
public enum ThemeChoice: String, Sendable, Hashable, CaseIterable {
    /// The theme that suits the terminal's background, if the terminal reports it.
    case auto
    case dark, light
}
