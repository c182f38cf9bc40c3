import FoundationEssentials
import SettingsStore
import TerminalCanvas

/// What the editor was opened on, and how it draws.
public struct EditorOptions: Sendable {
    /// Shown as the title, and as the place that was looked at: a folder's path, or a file's.
    public var place: String
    /// Why nothing may be written anywhere; nil where it may.
    public var readOnlyReason: String?
    public var glyphs: Glyphs
    /// One suite alone was opened: there is no list of suites.
    public var isSingle: Bool
    /// What keeps the suites.
    public var kind = PlaceKind.files
    /// Changes wait until they are written together, until the user says otherwise.
    public var isStaging: Bool
    /// Buttons and the wheel act here, until the user says otherwise.
    public var usesMouse: Bool
    /// How many seconds the clocks here are ahead of UTC at a moment.
    public var zone: @Sendable (Date) -> Int

    public init(
        place: String,
        readOnlyReason: String? = nil,
        glyphs: Glyphs = .unicode,
        isSingle: Bool = false,
        isStaging: Bool = false,
        usesMouse: Bool = true,
        zone: @escaping @Sendable (Date) -> Int = { _ in 0 }
    ) {
        self.place = place
        self.readOnlyReason = readOnlyReason
        self.glyphs = glyphs
        self.isSingle = isSingle
        self.isStaging = isStaging
        self.usesMouse = usesMouse
        self.zone = zone
    }
}
