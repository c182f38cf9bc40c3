import FoundationEssentials

/// Checks that a JSON text is kept as it is, and that a change of one value changes no other value.
func checkJSON(_ input: [UInt8]) {
    let document: JSONDocument
    do {
        document = try JSONDocument(parsing: input, limits: .standard)
    } catch {
        return checkPlace(error, in: input)
    }
    require(Array(document.text) == input, "a text is kept as it is")
    var paths: [ValuePath] = []
    collect(document.root, ValuePath([]), into: &paths)
    // Each change parses the whole text again, so only some values of a large text are changed.
    for index in stride(from: 0, to: paths.count, by: 1 + paths.count / 12) {
        checkReplacing(document, paths[index])
        checkRemoving(document, paths[index])
        checkInserting(document, paths[index])
        checkRenaming(document, paths[index])
    }
}

/// The paths that lead to exactly one value.
private func collect(_ node: JSONNode, _ path: ValuePath, into paths: inout [ValuePath]) {
    paths.append(path)
    _ = (node.source, node.string, node.displayText(), node.editText)
    var counts: [PathStep: Int] = [:]
    for (step, child) in node.children {
        guard case .key(let name) = step, child.hasTwin else {
            collect(child, path.appending(step), into: &paths)
            continue
        }
        collect(child, path.appending(.twin(name, counts[step, default: 0])), into: &paths)
        counts[step, default: 0] += 1
    }
}

private func node(_ document: JSONDocument, _ path: ValuePath) -> JSONNode {
    guard let node = document.node(at: path) else { fatalError("a place is not where it was: \(path)") }
    return node
}

/// Runs a change that must not be refused.
private func change(
    _ path: ValuePath,
    _ body: () throws(ValueEditError) -> JSONDocument
) -> JSONDocument {
    do {
        return try body()
    } catch {
        fatalError("a change is refused: \(error)")
    }
}

private func checkReplacing(_ document: JSONDocument, _ path: ValuePath) {
    let range = node(document, path).range
    let new = change(path) { () throws(ValueEditError) in
        try document.editing(.replace(.json(" [\"é\"]\n")), at: path)
    }
    let bytes = Array(document.text)
    require(
        Array(new.text) == bytes[..<range.lowerBound] + Array("[\"é\"]".utf8) + bytes[range.upperBound...],
        "replacing changes the value alone"
    )
    require(node(new, path).source == "[\"é\"]", "what was replaced is there")
    let same = change(path) { () throws(ValueEditError) in
        try new.editing(.replace(.json(node(document, path).source)), at: path)
    }
    require(same.text == document.text, "replacing can be taken back")
}

private func checkRemoving(_ document: JSONDocument, _ path: ValuePath) {
    guard let parentPath = path.parent else { return }
    let new = change(path) { () throws(ValueEditError) in try document.editing(.remove, at: path) }
    var expected = node(document, parentPath).children
    expected.removeAll { $0.node.range == node(document, path).range }
    require(
        sources(node(new, parentPath).children) == sources(expected),
        "removing leaves the others as they are"
    )
    require(isPart(Array(new.text), of: Array(document.text)), "removing takes one stretch out")
}

private func checkInserting(_ document: JSONDocument, _ path: ValuePath) {
    let parent = node(document, path)
    let step: PathStep
    switch parent.kind {
    case .array: step = .index(parent.childCount / 2)
    case .object: step = .key("new\u{1}\"")
    default: return
    }
    let place = parent.kind == .array ? parent.childCount / 2 : parent.childCount
    guard parent.kind == .array || parent.child(at: step) == nil else { return }
    let depth = path.steps.count + 1
    guard depth <= PropertyListLimits.standard.depth else { return }
    let new = change(path) { () throws(ValueEditError) in
        try document.editing(.insert(.json("0.10")), at: path.appending(step))
    }
    require(node(new, path.appending(step)).source == "0.10", "what was inserted is there")
    var others = node(new, path).children
    others.remove(at: place)
    require(sources(others) == sources(parent.children), "inserting leaves the others as they are")
    if parent.childCount > 0 {
        require(isPart(Array(document.text), of: Array(new.text)), "inserting puts one stretch in")
    }
}

private func checkRenaming(_ document: JSONDocument, _ path: ValuePath) {
    guard let parentPath = path.parent,
        let range = node(document, path).nameRange
    else { return }
    let name = "\"new\"\u{7F}"
    guard node(document, parentPath).child(at: .key(name)) == nil else { return }
    let new = change(path) { () throws(ValueEditError) in try document.editing(.rename(name), at: path) }
    let bytes = document.storage.bytes
    let end = bytes.count - range.upperBound
    require(
        new.storage.bytes.starts(with: bytes[..<range.lowerBound])
            && new.storage.bytes.suffix(end) == bytes.suffix(end),
        "renaming changes the name alone"
    )
    require(
        node(new, parentPath.appending(.key(name))).source == node(document, path).source,
        "what was renamed keeps its value"
    )
}

private func sources(_ children: [(step: PathStep, node: JSONNode)]) -> [String] {
    children.map(\.node.source)
}

/// Whether one text is the other one without one range of it.
private func isPart(_ part: [UInt8], of whole: [UInt8]) -> Bool {
    let start = commonPrefix(part, whole)
    return start + commonSuffix(part, whole, atMost: part.count - start) == part.count
}
