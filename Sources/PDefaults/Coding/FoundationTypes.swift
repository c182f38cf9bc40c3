import Foundation
import PropertyList

// Types of Foundation that are stored as people write them, so that people can read and change them in a file.

extension URL: PropertyListConvertible {
    /// The absolute string: `https://…` or `file:///…`.
    public func propertyListForm() -> String { absoluteString }

    public init?(propertyListForm form: String) { self.init(string: form) }
}

extension UUID: PropertyListConvertible {
    public func propertyListForm() -> String { uuidString }

    public init?(propertyListForm form: String) { self.init(uuidString: form) }
}

extension Decimal: PropertyListConvertible {
    /// The decimal digits with a point, in every locale.
    ///
    /// - Throws: if it is NaN.
    public func propertyListForm() throws -> PropertyListValue {
        if isNaN { throw ConversionError("NaN has no digits") }
        return .string(description)
    }

    /// Reads digits, and numbers too: a real number by its shortest digits.
    public init?(propertyListForm form: PropertyListValue) {
        switch form {
        case .string(let digits): self.init(digits: digits)
        case .integer(let number): self.init(digits: "\(number)")
        case .real(let number): self.init(digits: "\(number)")
        default: return nil
        }
    }

    private init?(digits: String) {
        // Foundation would accept any text that begins with a number.
        guard digits.wholeMatch(of: /[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?/) != nil else { return nil }
        self.init(string: digits, locale: Locale(identifier: "en_US_POSIX"))
    }
}

extension Locale: PropertyListConvertible {
    /// The identifier: `fr_FR`.
    public func propertyListForm() -> String { identifier }

    public init?(propertyListForm form: String) { self.init(identifier: form) }
}

extension CGFloat: PropertyListConvertible {
    public func propertyListForm() -> Double { Double(self) }

    public init?(propertyListForm form: Double) { self.init(form) }
}

extension CGPoint: PropertyListConvertible {
    public func propertyListForm() -> [String: CGFloat] { ["x": x, "y": y] }

    public init?(propertyListForm form: [String: CGFloat]) {
        guard let x = form["x"], let y = form["y"] else { return nil }
        self.init(x: x, y: y)
    }
}

extension CGSize: PropertyListConvertible {
    public func propertyListForm() -> [String: CGFloat] { ["width": width, "height": height] }

    public init?(propertyListForm form: [String: CGFloat]) {
        guard let width = form["width"], let height = form["height"] else { return nil }
        self.init(width: width, height: height)
    }
}

extension CGRect: PropertyListConvertible {
    public func propertyListForm() -> [String: [String: CGFloat]] {
        ["origin": origin.propertyListForm(), "size": size.propertyListForm()]
    }

    public init?(propertyListForm form: [String: [String: CGFloat]]) {
        guard let origin = form["origin"].flatMap(CGPoint.init(propertyListForm:)),
            let size = form["size"].flatMap(CGSize.init(propertyListForm:))
        else { return nil }
        self.init(origin: origin, size: size)
    }
}

extension AffineTransform: PropertyListConvertible {
    /// `a`, `b`, `c`, `d`, `tx` and `ty`, in CoreGraphics' names.
    public func propertyListForm() -> [CGFloat] { [m11, m12, m21, m22, tX, tY] }

    public init?(propertyListForm form: [CGFloat]) {
        guard form.count == 6 else { return nil }
        self.init(
            m11: form[0],
            m12: form[1],
            m21: form[2],
            m22: form[3],
            tX: form[4],
            tY: form[5]
        )
    }
}
