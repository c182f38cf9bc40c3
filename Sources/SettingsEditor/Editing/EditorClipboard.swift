/// What was copied or cut inside the editor.
struct EditorClipboard: Sendable {
    /// The text that was cut from a line last.
    var killed = ""
    /// The values that were copied last.
    var clips: [Clip] = []
}
