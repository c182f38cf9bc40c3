import PropertyList

/// Finding out, a little at a time, what a sieve leaves of what lies in a container: below what is open all of
/// its rows, and of what is closed whether there is any.
struct Narrowing: Sendable {
    enum Step: Sendable {
        /// Whether something is left, and where the container is open the rows below it.
        case done(isLeft: Bool, Branch?)
        case notYet
    }

    private struct Frame: Sendable {
        let children: ValueChildren
        /// The places to look at; nil for all.
        let candidates: [Int]?
        let sieve: Sieve
        /// What is open in it; nil where it is closed itself.
        let open: OpenPlaces?
        /// Among the candidates.
        var next = 0
        var shown: [Int] = []
        var opened: [(place: Int, branch: Branch)] = []

        init(_ node: ValueNode, _ sieve: Sieve, _ open: OpenPlaces?) {
            children = node.children
            (self.sieve, self.open) = (sieve, open)
            candidates = sieve.places.map { [children] in
                Set($0.inside.keys).union(sieve.kept?.prefix(1) ?? []).compactMap(children.place).sorted()
            }
        }

        var hasNext: Bool { next < candidates?.count ?? children.count }

        /// The place that was looked at last.
        var place: Int { candidates?[next - 1] ?? next - 1 }

        var branch: Branch? {
            open == nil ? nil : Branch(children, shown: shown, open: opened)
        }
    }

    private var frames: [Frame]
    /// The first place that is left, from the container down, where that is closed.
    private(set) var first: ValuePath?
    private var end: (isLeft: Bool, branch: Branch?)?

    /// - Parameters:
    ///   - node: A container.
    ///   - sieve: What is left inside it, which is not all.
    ///   - open: What is open in it; nil where it is closed itself.
    init(_ node: ValueNode, _ sieve: Sieve, open: OpenPlaces?) {
        frames = [Frame(node, sieve, open)]
    }

    /// Goes on, as far as the effort goes.
    mutating func next(_ effort: inout Effort) -> Step {
        while end == nil {
            guard effort.isLeft else { return .notYet }
            effort.spend(1)
            let last = frames.count - 1
            guard frames[last].hasNext else {
                leave()
                continue
            }
            frames[last].next += 1
            let (step, node) = frames[last].children[frames[last].place]
            guard let sieve = frames[last].sieve.inside(step) else { continue }
            guard node.isContainer else {
                if sieve.isKept || sieve.pattern?.matches(value: node, &effort) ?? true { keep(nil) }
                continue
            }
            let open = frames[last].open?.inside[step].flatMap { $0.isOpen ? $0 : nil }
            if sieve.isAll || open == nil && sieve.pattern == nil {
                keep(open?.branch(of: node))
            } else {
                frames.append(Frame(node, sieve, open))
            }
        }
        return .done(isLeft: end?.isLeft ?? false, end?.branch)
    }

    /// Ends the innermost container.
    private mutating func leave() {
        let frame = frames.removeLast()
        // What is among the places is left also where nothing in it is.
        let isLeft = !frame.shown.isEmpty || frame.sieve.pattern == nil || frame.sieve.isKept
        if frames.isEmpty {
            end = (isLeft, frame.branch)
        } else if isLeft {
            keep(frame.branch)
        }
    }

    /// Keeps the place that was looked at last, and with it what is closed around it.
    private mutating func keep(_ branch: Branch?) {
        if let root = frames.first, root.open == nil {
            first = ValuePath(frames.map { $0.children.step(at: $0.place) })
            end = (true, nil)
            return
        }
        while let last = frames.last, last.open == nil { frames.removeLast() }
        let last = frames.count - 1
        let place = frames[last].place
        frames[last].shown.append(place)
        if let branch { frames[last].opened.append((place, branch)) }
    }
}
