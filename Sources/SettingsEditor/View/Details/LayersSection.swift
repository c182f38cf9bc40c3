import PropertyList
import SettingsStore
import TerminalCanvas

/// Every layer that has a value for the key, the highest one first. The first value is the one that programs use, which
/// answers the question why a setting has its value.
struct LayersSection: DetailSection {
    let title = "Layers"

    func lines(_ context: DetailContext) -> [DetailLine] {
        let problems = context.suite.otherLayers.problems.flatMap {
            context.sentences(sentence("\($0)"), .problem)
        }
        guard context.row?.depth == 0, !context.suite.otherLayers.isEmpty else { return problems }
        let sources = sources(context)
        guard sources.contains(where: { $0.layer != .user && $0.layer != .declared }) else { return problems }
        let width = sources.map { $0.layer.rawValue.count }.max() ?? 0
        return problems
            + sources.enumerated().flatMap { number, source -> [DetailLine] in
                let word = source.layer.rawValue
                let name = word + String(repeating: " ", count: width - word.count)
                let value =
                    context.isHidden
                    ? "a secret" : context.state.summary(source.value, of: context.key, in: context.suite.id)
                var pieces = [
                    DetailLine.Piece(text: name, style: .faint),
                    DetailLine.Piece(text: "  \(value)", style: number == 0 ? .heading : .faint),
                ]
                if source.layer == .mandatory { pieces.append(.init(text: "  (locked)", style: .faint)) }
                let location =
                    source.location.isEmpty ? [] : context.sentences(source.location, .faint, indent: 2)
                return [DetailLine(pieces)] + location
            }
    }

    private func sources(_ context: DetailContext) -> [OtherLayers.Source] {
        let (suite, key) = (context.suite, context.key)
        var sources = suite.otherLayers.sources(ofKey: key)
        if let value = suite.value(forKey: key) {
            let index = sources.firstIndex { $0.layer < .user } ?? sources.endIndex
            sources.insert(.init(layer: .user, location: "", value: value), at: index)
        }
        if let value = suite.declaration(of: key)?.defaultValue {
            sources.append(.init(layer: .declared, location: "", value: value))
        }
        return sources
    }
}
