/// The looks of all ``Style``s, for terminals with many, few or no colours.
public struct Theme: Sendable, Hashable {
    public let name: String
    /// The looks for at least 256 colours, for at least 16, for at least 8, and for none.
    let full: [Style: Look]
    let basic: [Style: Look]
    let few: [Style: Look]
    let none: [Style: Look]

    init(name: String, full: [Style: Look], basic: [Style: Look], few: [Style: Look]) {
        self.name = name
        self.full = full
        self.basic = basic
        self.few = few
        none = Self.attributes
    }

    /// Returns the look of a style. A style that the theme does not list looks like ``Style/plain``.
    ///
    /// - Parameter colors: The number of colours of the terminal.
    public func look(of style: Style, colors: Int) -> Look {
        let looks = colors >= 256 ? full : colors >= 16 ? basic : colors >= 8 ? few : none
        return looks[style] ?? looks[.plain] ?? Look()
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
        public static let strikeout = Attributes(rawValue: 8)
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

/// The user's choice of a theme.
public enum ThemeChoice: String, Sendable, Hashable, CaseIterable {
    /// The theme that suits the terminal's background, if the terminal reports it.
    case auto
    case dark, light, gruvbox, solarized
    /// Only the terminal's first 16 colours, on black.
    case sixteen = "16"
    case mono

    /// The name to show to the user.
    public var name: String {
        switch self {
        case .auto: "as the terminal"
        case .dark, .light, .gruvbox, .solarized: rawValue
        case .sixteen: "16 colours"
        case .mono: "monochrome"
        }
    }

    /// The theme; nil if the terminal's background decides.
    public var theme: Theme? {
        switch self {
        case .auto: nil
        case .dark: .dark
        case .light: .light
        case .gruvbox: .gruvbox
        case .solarized: .solarized
        case .sixteen: .sixteen
        case .mono: .mono
        }
    }

    /// The next choice, and the first one after the last.
    public var next: ThemeChoice {
        let all = Self.allCases
        return all[(all.firstIndex(of: self).map { $0 + 1 } ?? 0) % all.count]
    }
}
