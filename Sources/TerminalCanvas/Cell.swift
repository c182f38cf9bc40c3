/// One character cell of a screen: a scalar of one or two columns with at most four marks, and a style.
///
/// Problem: a screen has thousands of cells, all of which are copied and compared for each frame. Approach: a scalar
/// has 21 bits, so five of them fit into two numbers. With a string in each cell, much of a frame's time would be spent
/// on counting references.
public struct Cell: Sendable, Hashable {
    /// The first three scalars, the first one in the lowest bits. Zero in the second column of a wide character.
    private var first: UInt64
    /// The fourth and the fifth scalar.
    private var rest: UInt64 = 0
    public var style: Style

    /// - Parameter text: the character. ncurses shows five scalars of it at most, and so does a cell.
    public init(_ text: String = " ", _ style: Style = .plain) {
        first = 0
        self.style = style
        for (number, scalar) in text.unicodeScalars.prefix(5).enumerated() {
            if number < 3 {
                first |= UInt64(scalar.value) << (21 * number)
            } else {
                rest |= UInt64(scalar.value) << (21 * (number - 3))
            }
        }
    }

    init(_ scalar: Unicode.Scalar, _ style: Style) {
        first = UInt64(scalar.value)
        self.style = style
    }

    /// The second column of a wide character.
    init(second style: Style) {
        first = 0
        self.style = style
    }

    /// Whether this is the second column of a wide character.
    public var isSecondHalf: Bool { first == 0 }

    /// The character if it is ASCII.
    public var ascii: UInt8? { 1..<0x80 ~= first ? UInt8(first) : nil }

    /// The character with its marks. Empty in the second column of a wide character.
    public var text: String {
        // A fast path for one scalar, which is nearly every cell.
        if 1..<(1 << 21) ~= first, let scalar = Unicode.Scalar(UInt32(first)) { return String(scalar) }
        var text = ""
        for var scalars in [first, rest] {
            while scalars != 0 {
                let scalar = Unicode.Scalar(UInt32(scalars & 0x1F_FFFF))
                if let scalar { text.unicodeScalars.append(scalar) }
                scalars >>= 21
            }
        }
        return text
    }
}
