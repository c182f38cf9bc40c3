import PropertyList

/// A JSON text in pieces: its brackets, colons, names and values. Where commas stand follows from these.
struct JSONPieces {
    typealias Spaces = ArraySlice<UInt8>

    /// What makes a piece the same one in another text: what it says, and of whom.
    struct Identity: Hashable {
        let text: ArraySlice<UInt8>
        /// Of a member's colon and of what its value begins with: the member's name.
        var name: ArraySlice<UInt8>?
    }

    struct Piece {
        var identity: Identity
        /// The spaces before it; nil behind what opens something, whose they are.
        var lead: Spaces?
        /// Those before the comma behind it, or behind what opens something; nil where nothing comes there.
        var tail: Spaces?
        /// Those between what opens something that is empty and its end; nil elsewhere.
        var hollow: Spaces?

        var text: ArraySlice<UInt8> { identity.text }
        var opens: Bool { text == [ASCII.bracket] || text == [ASCII.brace] }
        var closes: Bool { text == [ASCII.closingBracket] || text == [ASCII.closingBrace] }
        var isColon: Bool { text == [ASCII.colon] }
    }

    private(set) var pieces: [Piece] = []
    /// The spaces behind the last.
    private var end: Spaces = []

    private enum ASCII {
        static let bracket = UInt8(ascii: "["), closingBracket = UInt8(ascii: "]")
        static let brace = UInt8(ascii: "{"), closingBrace = UInt8(ascii: "}")
        static let (colon, comma, quote) = (UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\""))
        static let backslash = UInt8(ascii: "\\")

        static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D }
        static func isMark(_ byte: UInt8) -> Bool {
            [bracket, closingBracket, brace, closingBrace, colon, comma, quote].contains(byte)
        }
    }

    /// Nil for what these pieces would not make again.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while true {
            let lead = rest.prefix(while: ASCII.isSpace)
            rest = rest[lead.endIndex...]
            guard let first = rest.first else {
                end = lead
                break
            }
            var length = 1
            switch first {
            case ASCII.comma:
                guard !pieces.isEmpty else { return nil }
                pieces[pieces.count - 1].tail = lead
                rest.removeFirst()
                continue
            case ASCII.quote:
                var isEscaped = false
                let content = rest.dropFirst().prefix { byte in
                    defer { isEscaped = byte == ASCII.backslash && !isEscaped }
                    return isEscaped || byte != ASCII.quote
                }
                guard content.endIndex < rest.endIndex else { return nil }
                length += content.count + 1
            case _ where ASCII.isMark(first): break
            default: length = rest.prefix { !ASCII.isSpace($0) && !ASCII.isMark($0) }.count
            }
            append(Piece(identity: Identity(text: rest.prefix(length)), lead: lead))
            rest = rest.dropFirst(length)
        }
        if text != bytes { return nil }
    }

    private mutating func append(_ piece: Piece) {
        var piece = piece
        if piece.isColon {
            piece.identity.name = pieces.last?.text
        } else if let last = pieces.last, last.isColon {
            piece.identity.name = last.identity.name
        }
        if pieces.last?.opens == true {
            if piece.closes {
                pieces[pieces.count - 1].hollow = piece.lead
            } else {
                pieces[pieces.count - 1].tail = piece.lead
            }
            piece.lead = nil
        }
        pieces.append(piece)
    }

    /// With commas where they belong.
    var text: [UInt8] {
        var text: [UInt8] = []
        for (place, piece) in pieces.enumerated() {
            let former = place > 0 ? pieces[place - 1] : nil
            if let former, former.opens {
                text += (piece.closes ? former.hollow : former.tail) ?? []
            } else {
                if let former, !piece.closes, !piece.isColon, !former.isColon {
                    text += (former.tail ?? []) + [ASCII.comma]
                }
                text += piece.lead ?? []
            }
            text += piece.text
        }
        return text + end
    }

    /// Two changes of a text, made in one.
    ///
    /// - Parameter mineFirst: of what both have put in at one place.
    /// - Returns: nil where both have changed the same, or what others have spaced otherwise goes beside what is new.
    init?(_ base: JSONPieces, _ mine: JSONPieces, _ theirs: JSONPieces, mineFirst: Bool) {
        var merge = PieceMerge(base.pieces, mine.pieces, theirs.pieces, mineFirst: mineFirst)
        guard merge.run() else { return nil }
        pieces = merge.result
        end = spaces(base.end, mine.end, theirs.end) ?? []
    }
}

/// Spaces that two may have changed: where both have they are the others'. Where one has none there it has changed
/// none.
private func spaces(
    _ base: JSONPieces.Spaces?,
    _ mine: JSONPieces.Spaces?,
    _ theirs: JSONPieces.Spaces?
) -> JSONPieces.Spaces? {
    guard let mine, let theirs else { return mine ?? theirs }
    return theirs == base ? mine : theirs
}

private struct PieceMerge {
    typealias Piece = JSONPieces.Piece
    typealias Spaces = JSONPieces.Spaces

    private struct Side {
        let pieces: [Piece]
        let stretches: [ChangedPieces]
        /// The next one.
        var next = 0
        /// How far on a place of the base is in it, behind the last one.
        var distance = 0

        init(_ base: [Piece], _ pieces: [Piece]) {
            self.pieces = pieces
            stretches = ChangedPieces.all(base, pieces)
        }

        var stretch: ChangedPieces? { next < stretches.count ? stretches[next] : nil }

        /// The spaces before the element or the member that follows the one which begins at a place.
        func leadOfNext(behind place: Int) -> Spaces? {
            var depth = 0
            for index in place..<pieces.count {
                let piece = pieces[index]
                if depth == 0, index > place, !piece.isColon, !pieces[index - 1].isColon {
                    return piece.closes ? nil : piece.lead
                }
                depth += piece.opens ? 1 : piece.closes ? -1 : 0
            }
            return nil
        }

        mutating func pass() {
            guard let stretch else { return }
            distance = stretch.new.upperBound - stretch.old.upperBound
            next += 1
        }
    }

    private let base: [Piece]
    private var mine: Side
    private var theirs: Side
    private let mineFirst: Bool
    private(set) var result: [Piece] = []

    init(_ base: [Piece], _ mine: [Piece], _ theirs: [Piece], mineFirst: Bool) {
        self.base = base
        self.mine = Side(base, mine)
        self.theirs = Side(base, theirs)
        self.mineFirst = mineFirst
    }

    /// False where the two can't be told apart.
    mutating func run() -> Bool {
        var place = 0
        while let first = [mine, theirs].compactMap({ $0.stretch?.old.lowerBound }).min() {
            for same in place..<max(place, first) { addSame(same) }
            place = max(place, first)
            guard let stretch = addNext() else { return false }
            place = max(place, stretch.old.upperBound)
        }
        for same in place..<base.count { addSame(same) }
        return true
    }

    /// The stretch that comes next; nil where the two can't be told apart.
    private mutating func addNext() -> ChangedPieces? {
        guard let own = mine.stretch, let other = theirs.stretch else {
            return add(mine.stretch ?? theirs.stretch, isMine: mine.stretch != nil)
        }
        if own.old == other.old, texts(own, of: mine) == texts(other, of: theirs) { return addBoth(other) }
        // What is put in before something comes before what becomes of that.
        let takesMine =
            own.old.lowerBound != other.old.lowerBound
            ? own.old.lowerBound < other.old.lowerBound
            : own.old.isEmpty && (mineFirst || !other.old.isEmpty)
        let (sooner, later) = takesMine ? (own, other) : (other, own)
        if later.old.lowerBound < sooner.old.upperBound { return nil }
        return add(sooner, isMine: takesMine)
    }

    private func texts(_ stretch: ChangedPieces, of side: Side) -> [ArraySlice<UInt8>] {
        side.pieces[stretch.new].map(\.text)
    }

    /// Whether others have other spaces at what lies beside a place, save where that is the first of something or its end.
    private func isSpacedOtherwise(beside place: Int) -> Bool {
        [place - 1, place].contains { place in
            guard base.indices.contains(place), let other = theirPlace(of: place), place > 0, other > 0,
                !base[place].closes, let former = base[place].lead, let lead = theirs.pieces[other].lead
            else { return false }
            return former != lead
        }
    }

    private func theirPlace(of place: Int) -> Int? {
        var distance = 0
        for stretch in theirs.stretches {
            if stretch.old.lowerBound > place { break }
            if stretch.old.contains(place) { return nil }
            distance = stretch.new.upperBound - stretch.old.upperBound
        }
        return place + distance
    }

    /// What neither has changed.
    private mutating func addSame(_ place: Int) {
        let (own, other) = (place + mine.distance, place + theirs.distance)
        var piece = theirs.pieces[other]
        let (former, mine) = (base[place], mine.pieces[own])
        piece.lead = spaces(former.lead, mine.lead, piece.lead)
        piece.tail = spaces(former.tail, mine.tail, piece.tail)
        piece.hollow = spaces(former.hollow, mine.hollow, piece.hollow)
        add(piece, at: other, of: theirs)
    }

    /// What one of the two has put in, or in the place of something, whose spaces the other may have changed.
    ///
    /// - Returns: that; nil where others have spaced otherwise what lies beside it.
    private mutating func add(_ stretch: ChangedPieces?, isMine: Bool) -> ChangedPieces? {
        guard let stretch else { return nil }
        if isMine, stretch.old.isEmpty, isSpacedOtherwise(beside: stretch.old.lowerBound) { return nil }
        let (side, other) = isMine ? (mine, theirs) : (theirs, mine)
        func merged(_ place: Int, _ own: Piece, _ kind: KeyPath<Piece, Spaces?>) -> Spaces? {
            let (here, there) = (own[keyPath: kind], other.pieces[place + other.distance][keyPath: kind])
            return spaces(base[place][keyPath: kind], isMine ? here : there, isMine ? there : here)
        }
        for place in stretch.new {
            var piece = side.pieces[place]
            if let first = stretch.old.first, place == stretch.new.first {
                piece.lead = merged(first, piece, \.lead)
            }
            if let last = stretch.old.last, place == stretch.new.last {
                piece.tail = merged(last, piece, \.tail)
            }
            add(piece, at: place, of: side)
        }
        if isMine { mine.pass() } else { theirs.pass() }
        return stretch
    }

    /// What both have put in the place of the same.
    private mutating func addBoth(_ stretch: ChangedPieces) -> ChangedPieces {
        for place in stretch.new { add(theirs.pieces[place], at: place, of: theirs) }
        mine.pass()
        theirs.pass()
        return stretch
    }

    /// - Parameter place: where it is in that side.
    private mutating func add(_ piece: Piece, at place: Int, of side: Side) {
        var piece = piece
        // What is no longer the first looks like what followed it.
        if piece.lead == nil, !piece.closes, result.last?.opens == false {
            piece.lead = side.leadOfNext(behind: place) ?? side.pieces[place - 1].tail
        }
        result.append(piece)
    }
}

/// Pieces of a text that another one has not, or has others in their place.
private struct ChangedPieces {
    var old: Range<Int>
    var new: Range<Int>

    typealias Piece = JSONPieces.Piece

    /// In their order, with all that lies between them the same.
    static func all(_ old: [Piece], _ new: [Piece]) -> [ChangedPieces] {
        let partners = Alignment(old.map(\.identity), new.map(\.identity)).partners
        var result: [ChangedPieces] = []
        var (start, next) = (0, 0)
        for place in 0...old.count {
            let end = place < old.count ? partners[place] : new.count
            guard let end else { continue }
            if start < place || next < end {
                var stretch = ChangedPieces(old: start..<place, new: next..<end)
                stretch.slide(old, new, behind: result.last)
                result.append(stretch)
            }
            (start, next) = (place + 1, end + 1)
        }
        return result
    }

    /// Of what has come or gone, and has the same on both sides, takes that which is an element or a member.
    private mutating func slide(_ old: [Piece], _ new: [Piece], behind last: ChangedPieces?) {
        let isNew = self.old.isEmpty
        guard isNew || self.new.isEmpty else { return }
        let pieces = isNew ? new : old
        var moved = self
        for _ in 0...(isNew ? self.new : self.old).count {
            let range = isNew ? moved.new : moved.old
            if Self.isWhole(pieces, range) {
                self = moved
                return
            }
            guard moved.old.lowerBound > last?.old.upperBound ?? 0,
                pieces[range.lowerBound - 1].identity == pieces[range.upperBound - 1].identity
            else { return }
            moved.old = moved.old.lowerBound - 1..<moved.old.upperBound - 1
            moved.new = moved.new.lowerBound - 1..<moved.new.upperBound - 1
        }
    }

    private static func isWhole(_ pieces: [Piece], _ range: Range<Int>) -> Bool {
        guard let first = range.first, let last = range.last, !pieces[first].isColon, !pieces[last].isColon,
            first == 0 || !pieces[first - 1].isColon
        else { return false }
        var depth = 0
        for piece in pieces[range] {
            depth += piece.opens ? 1 : piece.closes ? -1 : 0
            if depth < 0 { return false }
        }
        return depth == 0
    }
}
