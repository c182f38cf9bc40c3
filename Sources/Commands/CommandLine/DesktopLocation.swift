import CommandLanguage
import SettingsStore

// Connects the commands with the desktop's settings. In a build without the package trait `GSettings`, the option
// `--gsettings` only prints an explanation.

#if GSettings
import GSettingsStore

/// Returns the desktop's settings.
func desktopSettings() throws -> any SuiteBackend { desktop }

private let desktop: DesktopSettings = {
    // Each failure is an error of a command or a message of the editor, whose screen must stay whole.
    DesktopSettings.discardMessages()
    return .gsettings
}()
#else
func desktopSettings() throws -> any SuiteBackend {
    throw CommandError(
        "This pdefaults was built without GSettings. Build it with “swift build --traits GSettings”."
    )
}
#endif
