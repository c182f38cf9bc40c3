/// The result of a command: a modal to open, a change of a suite, a message or effects.
///
/// Most commands only read the state: whether a row may be changed, what to ask, which values to write. They return an
/// outcome and change nothing. ``EditorState/perform(_:)`` is the one place where such a command opens a modal or writes.
enum Outcome {
    case nothing
    /// Opens a modal in place of all others.
    case open(Modal)
    case write(SuiteEdit)
    case say(String)
    case editExternally(ExternalEdit)
    case effects([Effect])
}
