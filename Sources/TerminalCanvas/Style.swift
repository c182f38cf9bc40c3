/// A colour by its role in the terminal's own palette, which the user has chosen to suit light or
/// dark.
public enum Color: Sendable, Hashable {
    /// The terminal's own foreground or background.
    case standard
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack
}

/// How a cell looks. What the terminal lacks it leaves out, so no meaning may hang on colour alone.
public struct Style: Sendable, Hashable {
    public var foreground: Color
    public var background: Color
    public var attributes: Attributes

    public init(
        foreground: Color = .standard,
        background: Color = .standard,
        _ attributes: Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    public static let plain = Style()

    public struct Attributes: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let underline = Attributes(rawValue: 4)
        public static let reverse = Attributes(rawValue: 8)
    }
}
