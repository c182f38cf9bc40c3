/// Copied values and cut text inside the editor.
struct EditorClipboard: Sendable {
    /// The text that was cut from a line most recently.
    var killed = ""
    /// The values that were copied most recently.
    var clips: [Clip] = []
}
