import Foundation
import ProgramHarness
import Testing

@Suite("The stories of the screenshots")
struct PictureTests {
    @Test(
        "The real programs play each story up to its screenshot",
        arguments: [
            "main", "light", "json", "jsonfile", "declared", "history", "palette", "unreadable", "conflict",
            "places", "compare", "live",
        ]
    )
    func story(_ scene: String) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let programs = URL(fileURLWithPath: try builtProgram(named: "pdefaults")).deletingLastPathComponent()
        _ = try builtProgram(named: "LiveDemo")
        let result = try run(
            package.appendingPathComponent("Screenshots/make").path,
            ["--play", programs.path, scene],
            within: .seconds(1_200)
        )
        #expect(result.ending == .exit(0), "\(result.errors)")
    }
}
