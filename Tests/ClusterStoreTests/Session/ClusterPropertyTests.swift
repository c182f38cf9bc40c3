#if Cluster
import Foundation
import PDefaults
import ProgramHarness
import SettingsStoreTesting
import Testing

@Suite(
    "Properties on a cluster",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct ClusterPropertyTests {
    private struct Window: Codable, Equatable { var width = 80 }

    private final class Settings {
        @PDefaults var volume: Int
        @PDefaults var window: Window

        init(_ suite: SettingsSuite) {
            _volume = PDefaults(wrappedValue: 60, "volume", suite: suite)
            _window = PDefaults(wrappedValue: Window(), "window", suite: suite)
        }
    }

    @Test("A property on a cluster works like one in a file, and reports foreign changes")
    func property() throws {
        let cluster = try SettingsCluster.ofItsOwn()
        let settings = Settings(try SettingsSuite(named: "App", in: cluster))
        #expect(settings.volume == 60)
        let heard = Recorder<Int>()
        let subscription = settings.$volume.sink { heard.note($0) }
        let others = Settings(try SettingsSuite.separate("App", in: cluster))
        others.volume = 70
        #expect(eventually { heard.all == [60, 70] })
        settings.window = Window(width: 120)
        #expect(eventually { others.window == Window(width: 120) })
        subscription.cancel()
    }
}
#endif
