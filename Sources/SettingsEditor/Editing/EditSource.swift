/// The source of a new value, so that the user can go on editing.
enum EditSource: Sendable, Hashable {
    case draft(Draft)
    case edited(ExternalEdit)
}
