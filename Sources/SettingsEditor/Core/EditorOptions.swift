import FoundationEssentials
import SettingsStore
import TerminalCanvas

/// The places that the editor is opened on, and how the editor draws.
public struct EditorOptions: Sendable {
    /// The places, at least one. The first one is the one whose suites have their names as ids.
    public var places: [Place]
    /// The name of the suite to select in the first place; nil for the first one.
    public var suite: String?
    /// Why nothing may be written; nil if writing is allowed.
    public var readOnlyReason: String?
    public var glyphs: Glyphs
    /// Whether staging is on at the start.
    public var isStaging: Bool
    /// Whether the mouse is on at the start.
    public var usesMouse: Bool
    /// The theme at the start.
    public var theme = ThemeChoice.auto
    /// The editor's own preferences at the start.
    public var preferences = EditorPreferences.none
    /// The suites to compare at the start.
    public var comparedSuites: (left: String, right: String)?
    /// The offset of the local time from UTC at a date, in seconds.
    public var zone: @Sendable (Date) -> Int

    public init(
        places: [Place],
        readOnlyReason: String? = nil,
        glyphs: Glyphs = .unicode,
        isStaging: Bool = false,
        usesMouse: Bool = true,
        zone: @escaping @Sendable (Date) -> Int = { _ in 0 }
    ) {
        self.places = places
        self.readOnlyReason = readOnlyReason
        self.glyphs = glyphs
        self.isStaging = isStaging
        self.usesMouse = usesMouse
        self.zone = zone
    }
}
