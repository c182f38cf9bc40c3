package import PropertyList

extension SuiteSchema {
    /// The paths of all stored values whose setting is deprecated, sorted, each with the sentence of its declaration.
    package func deprecations(in values: [String: PropertyListValue]) -> [(path: ValuePath, sentence: String)]
    {
        var found: [(path: ValuePath, sentence: String)] = []
        func visit(_ value: PropertyListValue, _ declaration: SettingDeclaration, at path: ValuePath) {
            if let sentence = declaration.deprecation { found.append((path, sentence)) }
            func visitChild(_ child: PropertyListValue, at step: PathStep) {
                guard let shape = declaration.shape.child(at: step) else { return }
                visit(child, shape.declaration, at: path.appending(step))
            }
            switch (value, declaration.shape.wrapped) {
            case (.dictionary(let members), .record), (.dictionary(let members), .dictionary):
                for (name, member) in members.sorted(by: { $0.key < $1.key }) {
                    visitChild(member, at: .key(name))
                }
            case (.array(let elements), .array):
                for (index, element) in elements.enumerated() { visitChild(element, at: .index(index)) }
            default: break
            }
        }
        for (key, declaration) in declarations.sorted(by: { $0.key < $1.key }) {
            if let value = values[key] { visit(value, declaration, at: [.key(key)]) }
        }
        return found
    }
}
