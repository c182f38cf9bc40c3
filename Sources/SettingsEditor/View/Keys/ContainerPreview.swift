import PropertyList
import SettingsStore
import TerminalCanvas

// A collapsed array or dictionary shows its first children, such as `[rock, jazz, …+3]`. A count alone would make the
// user expand every row to see what it is. Only children that fit on the line are read.
extension ValueNode {
    /// The first children of a container, within so many columns.
    func preview(_ format: ValueFormat, columns: Int, _ glyphs: Glyphs) -> String {
        let (open, close) = holdsElements ? ("[", "]") : ("{", "}")
        let count = childCount
        if count == 0 { return open + close }
        let ellipsis = String(glyphs.ellipsis)
        let children = children
        var text = open
        var width = 1
        for index in 0..<count {
            let rest = count - index
            let name = holdsElements ? "" : "\(children.step(at: index).text.tellingSpaces): "
            let value = children.shown(at: index).briefly(format, ellipsis)
            let part = (index == 0 ? "" : ", ") + name + value
            // After this part, the count of the remaining children must fit.
            let end = rest == 1 ? 1 : 4 + String(rest - 1).count + 1
            let partWidth = displayWidth(of: part, glyphs: glyphs)
            guard width + partWidth + end <= columns else {
                // The first child is shown in part if nothing else fits.
                if index > 0 { return "\(text), \(ellipsis)+\(rest)\(close)" }
                let room = columns - 1 - (rest == 1 ? 1 : end)
                let tail = rest == 1 ? close : ", \(ellipsis)+\(rest - 1)\(close)"
                if room >= 6 { return text + clipped(part, columns: room, glyphs: glyphs) + tail }
                // Without room for a child, the count is shown.
                let counts = [format.display(self), "\(open)\(ellipsis)+\(count)\(close)"]
                return counts.first { displayWidth(of: $0, glyphs: glyphs) <= columns } ?? "+\(count)"
            }
            text += part
            width += partWidth
        }
        return text + close
    }

    /// A child inside a preview. Containers inside it are not read.
    private func briefly(_ format: ValueFormat, _ ellipsis: String) -> String {
        if isUnread { return ellipsis }
        if isContainer {
            let (open, close) = holdsElements ? ("[", "]") : ("{", "}")
            return childCount == 0 ? open + close : open + ellipsis + close
        }
        return format.display(self, limit: 24).tellingSpaces
    }
}

extension SuiteModel {
    /// The name that a declaration gives to a value; nil if it gives none.
    func title(ofValue node: ValueNode, at path: ValuePath) -> String? {
        guard let cases = declaration(at: path)?.cases, !cases.isEmpty,
            case .propertyList(let value) = node.content
        else { return nil }
        return cases.first { $0.value == value }?.title
    }
}

extension EditorState {
    /// A value of a declared setting, with the name that the declaration gives it.
    func choiceText(_ value: PropertyListValue, of declaration: SettingDeclaration, limit: Int = 60) -> String
    {
        let node = ValueNode(value)
        let text =
            node.isContainer
            ? node.preview(format, columns: limit, options.glyphs)
            : SettingsEditor.summary(node, format, limit: limit)
        return declaration.cases.first { $0.value == value }?.title.map { "\(text) \($0)" } ?? text
    }
}
