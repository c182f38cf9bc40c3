import PropertyList

/// A change of one suite that a command has computed: the new values, and what the editor shows after it.
struct SuiteEdit {
    let suite: String
    /// The new values by key. Nil deletes the key.
    var values: [String: PropertyListValue?]
    /// The user's text, so that it can be edited again if the write fails.
    var source: EditSource?
    /// Whether a value moves from one key to another.
    var isMove = false
    /// The keys that become secret.
    var secrets: [String] = []
    /// The path to select; nil keeps the selection.
    var selected: ValuePath?
    /// Whether the value at that path is new. If the filter hides it, a message says so.
    var isInserted = false
    /// The rows that leave the multi-selection.
    var deselected: [ValuePath] = []
    var message: String?
}

extension SuiteModel {
    /// The change that puts a value at a path.
    ///
    /// - Parameter inserting: Whether the value is new. In an array, later elements move.
    func putting(
        _ new: NewValue,
        at path: ValuePath,
        inserting: Bool,
        _ source: EditSource? = nil
    ) throws -> SuiteEdit {
        let whole: PropertyListValue
        let old = ground(at: path)
        if path.steps.count == 1, old == nil {
            whole = new.asWhole
        } else if path.steps.count == 1, inserting {
            throw Refusal("“\(path.key)” already exists.")
        } else if let old {
            whole =
                inserting
                ? try old.inserting(new, at: path.inside) : try old.replacing(at: path.inside, with: new)
        } else {
            throw Refusal("“\(path.key)” is gone.")
        }
        var edit = SuiteEdit(suite: id, values: [path.key: whole], selected: path)
        edit.source = source
        edit.isInserted = inserting
        return edit
    }

    /// The change that deletes the values at these paths.
    func deleting(_ paths: [ValuePath]) throws -> SuiteEdit {
        var edit = SuiteEdit(suite: id, values: try removing(paths))
        edit.deselected = paths
        let what = paths.count == 1 ? "“\(paths[0].lastName)”" : "\(paths.count) rows"
        edit.message = "Deleted \(what). Press u to undo."
        return edit
    }

    /// The new values of the keys without these paths.
    func removing(_ paths: [ValuePath]) throws -> [String: PropertyListValue?] {
        var values: [String: PropertyListValue?] = [:]
        // From the end, so that the indexes of earlier elements stay valid.
        for path in paths.sorted(by: { $1.comesBefore($0) }) {
            if path.steps.count == 1 {
                values[path.key] = .some(nil)
            } else if let whole = values[path.key] ?? ground(at: path) {
                values[path.key] = try whole.removing(at: path.inside)
            }
        }
        return values
    }

    /// The change that moves an element of an array by so many places, as far as the array goes.
    func moving(_ row: Row, up: Bool, times: Int) throws -> SuiteEdit {
        guard case .index(let place)? = row.path.steps.last, let parent = row.path.parent else {
            throw Refusal("Only elements of an array can be moved.")
        }
        let last = (outline.node(at: parent)?.childCount ?? 0) - 1
        let times = min(times, up ? place : last - place)
        guard times > 0, var whole = ground(at: row.path) else {
            throw Refusal(up ? "It is already the first element." : "It is already the last element.")
        }
        var path = row.path
        for step in 1...times {
            let next = parent.appending(.index(up ? place - step : place + step))
            guard let neighbour = outline.node(at: next) else { throw Refusal("“\(row.name)” is gone.") }
            whole = try whole.replacing(at: path.inside, with: neighbour.newValue)
            path = next
        }
        whole = try whole.replacing(at: path.inside, with: row.node.newValue)
        return SuiteEdit(suite: id, values: [row.path.key: whole], isMove: true, selected: path)
    }

    /// The change that gives a value another name; nil if it has that name.
    func renaming(_ path: ValuePath, to name: String) throws -> SuiteEdit? {
        guard let whole = ground(at: path), outline.node(at: path) != nil else {
            throw Refusal("“\(path.lastName)” is gone.")
        }
        if name.isEmpty { throw Refusal("Type a name.") }
        if name.utf8.elementsEqual(path.lastName.utf8) { return nil }
        let new = (path.parent ?? []).appending(.key(name))
        if name != path.lastName, holds(new) { throw Refusal("“\(name)” already exists.") }
        if path.steps.count > 1 {
            let renamed = try whole.renaming(at: path.inside, to: name)
            return SuiteEdit(suite: id, values: [path.key: renamed], isMove: true, selected: new)
        }
        if name == path.key { throw Refusal("Both spellings count as the same name.") }
        var edit = SuiteEdit(suite: id, values: [path.key: nil, name: whole], isMove: true, selected: new)
        if hides(path.key) { edit.secrets = [name] }
        return edit
    }

    /// The change that inserts copied values into an array.
    func inserting(_ clips: [Clip], in parent: ValuePath, from index: Int) throws -> SuiteEdit {
        let first = parent.appending(.index(index))
        guard var whole = ground(at: first) else { return SuiteEdit(suite: id, values: [:]) }
        let isJSON = outline.node(at: parent)?.json != nil
        for (offset, clip) in clips.enumerated() {
            let path = parent.appending(.index(index + offset))
            whole = try whole.inserting(clip.newValue(inJSON: isJSON), at: path.inside)
        }
        return SuiteEdit(suite: id, values: [parent.key: whole], selected: first)
    }

    /// The change that inserts several copied values under their own names.
    func inserting(_ clips: [Clip], in parent: ValuePath, isJSON: Bool) throws -> SuiteEdit {
        var edit = SuiteEdit(suite: id, values: [:])
        for (number, clip) in clips.enumerated() {
            let path = parent.appending(.key(clip.name ?? String(number)))
            if holds(path) || path.steps.count == 1 && edit.values[path.key] != nil {
                throw Refusal("“\(path.lastName)” already exists.")
            }
            let new = try clip.newValue(inJSON: isJSON)
            if clip.isSecret { edit.secrets.append(path.key) }
            if path.steps.count == 1 {
                edit.values[path.key] = new.asWhole
            } else if let whole = edit.values[path.key] ?? ground(at: path) {
                edit.values[path.key] = try whole.inserting(new, at: path.inside)
            } else {
                throw Refusal("Nothing is stored in “\(path.key)”.")
            }
        }
        edit.message = "Pasted \(clips.count) rows. Press u to undo."
        return edit
    }
}

extension ValuePath {
    /// The paths in the order of rows, as far as paths alone tell it.
    func comesBefore(_ other: ValuePath) -> Bool {
        for (mine, theirs) in zip(steps, other.steps) where mine != theirs {
            switch (mine, theirs) {
            case (.index(let a), .index(let b)): return a < b
            case (.twin(let a, let number), .twin(let b, let other)) where a == b: return number < other
            default: return (mine.name ?? "") < (theirs.name ?? "")
            }
        }
        return steps.count < other.steps.count
    }
}
