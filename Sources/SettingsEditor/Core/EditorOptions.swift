import FoundationEssentials
import SettingsStore
import TerminalCanvas

/// The folder, cluster or file that the editor was opened on, and how the editor draws.
public struct EditorOptions: Sendable {
    /// The path of the folder or file, for the title.
    public var place: String
    /// Why nothing may be written; nil if writing is allowed.
    public var readOnlyReason: String?
    public var glyphs: Glyphs
    /// Whether one suite was opened, so that there is no list of suites.
    public var isSingle: Bool
    /// The kind of backend that keeps the suites.
    public var kind = BackendKind.files
    /// Whether staging is on at the start.
    public var isStaging: Bool
    /// Whether the mouse is on at the start.
    public var usesMouse: Bool
    /// The theme at the start.
    public var theme = ThemeChoice.auto
    /// The options with which a command finds the same suites, such as `--directory` and a folder.
    public var commandOptions: [String] = []
    /// The only suite as the command line names it; nil if the suites have their own names.
    public var commandSuite: String?
    /// The suite that holds the editor's own preferences; nil if it is not among these suites.
    public var preferencesSuite: String?
    /// The editor's own preferences at the start.
    public var preferences = EditorPreferences.none
    /// The suites to compare at the start.
    public var comparedSuites: (left: String, right: String)?
    /// The offset of the local time from UTC at a date, in seconds.
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
