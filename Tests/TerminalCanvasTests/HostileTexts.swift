/// Random texts of the characters that most often break a screen. The same seed gives the same texts.
struct HostileTexts {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Returns a random number (SplitMix64).
    mutating func number(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((z ^ (z >> 31)) % UInt64(bound))
    }

    mutating func next() -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<number(below: 24) {
            let range = Self.ranges[number(below: Self.ranges.count)]
            let value = range.lowerBound + UInt32(number(below: range.count))
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        return String(text)
    }

    private static let ranges: [ClosedRange<UInt32>] = [
        0x20...0x7E, 0x20...0x7E, 0...0x1F, 0x7F...0x9F, 0xA0...0xFF, 0x300...0x36F, 0x300...0x310,
        0x590...0x6FF, 0x900...0x97F, 0xE00...0xE7F, 0x1100...0x11FF, 0x200B...0x200F, 0x200D...0x200D,
        0x2028...0x202E, 0x2060...0x206F, 0x20D0...0x20F0, 0x2600...0x27BF, 0x3040...0x30FF,
        0x4E00...0x9FFF, 0xAC00...0xD7FF, 0xE000...0xE0FF, 0xFE00...0xFE0F, 0xFE0F...0xFE0F,
        0xFF00...0xFFFF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F6FF, 0x1F3FB...0x1F3FF, 0x1F466...0x1F469,
        0x1FA70...0x1FAFF, 0xE0000...0xE01FF, 0x10FFF0...0x10FFFF, 0...0x10FFFF,
    ]
}

/// Whether a scalar must not reach a terminal, by its Unicode category.
func actsOnTerminals(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: true
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
}
