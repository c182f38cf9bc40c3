// swift-tools-version: 6.1

import PackageDescription

// Imports run downwards only; the order of the targets below is the order of the house, from the
// ground up.
let package = Package(
    name: "PDefaults",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "PDefaults", targets: ["PDefaults"]),
        .library(name: "SettingsStore", targets: ["SettingsStore"]),
        .library(name: "SettingsStoreTesting", targets: ["SettingsStoreTesting"]),
        .executable(name: "pdefaults", targets: ["Commands"]),
        .executable(name: "LiveDemo", targets: ["LiveDemo"]),
    ],
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0")
    ],
    targets: [
        .target(name: "CStart"),
        .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "TerminalCanvas"),
        .target(name: "Terminal", dependencies: ["TerminalCanvas", "CNcurses"]),

        .target(name: "PropertyList"),
        .target(name: "CLinux"),
        .target(name: "SettingsStore", dependencies: ["PropertyList", "CLinux"]),
        // What every place where a suite is kept has to pass, and what makes systems fail on purpose.
        .target(name: "SettingsStoreTesting", dependencies: ["SettingsStore", "PropertyList"]),
        .target(
            name: "PDefaults",
            dependencies: [
                "SettingsStore", "PropertyList",
                .product(name: "OpenCombine", package: "OpenCombine"),
            ]
        ),

        .target(
            name: "SettingsEditor",
            dependencies: ["SettingsStore", "PropertyList", "TerminalCanvas"]
        ),

        // The command line as data: what there is to type and to print, without files and terminals.
        .target(name: "CommandLanguage", dependencies: ["PropertyList"]),
        // Not called `pdefaults`, which would differ from `PDefaults` by case alone.
        .executableTarget(
            name: "Commands",
            dependencies: [
                "CommandLanguage", "SettingsEditor", "SettingsStore", "PropertyList", "Terminal",
                "TerminalCanvas", "CStart",
            ]
        ),
        .executableTarget(name: "LiveDemo", dependencies: ["PDefaults"]),

        // Runs built programs for tests: alone, and in real terminals.
        .target(name: "ProgramHarness", path: "Tests/ProgramHarness"),

        .testTarget(name: "TerminalCanvasTests", dependencies: ["TerminalCanvas"]),
        // Shows what a terminal sends, and leaves it in every way.
        .executableTarget(
            name: "TerminalProbe",
            dependencies: ["Terminal", "TerminalCanvas"],
            path: "Tests/TerminalProbe"
        ),
        .testTarget(
            name: "TerminalTests",
            dependencies: ["Terminal", "TerminalCanvas", "TerminalProbe", "ProgramHarness"]
        ),
        .testTarget(name: "PropertyListTests", dependencies: ["PropertyList", "ProgramHarness"]),
        // Another process, for the store's tests.
        .executableTarget(
            name: "StoreWriter",
            dependencies: ["SettingsStore", "PropertyList"],
            path: "Tests/StoreWriter"
        ),
        .testTarget(
            name: "SettingsStoreTests",
            dependencies: [
                "SettingsStore", "SettingsStoreTesting", "PropertyList", "ProgramHarness", "StoreWriter",
            ]
        ),
        // Another process with properties, for the library's tests.
        .executableTarget(
            name: "PropertyProgram",
            dependencies: ["PDefaults"],
            path: "Tests/PropertyProgram"
        ),
        .testTarget(
            name: "PDefaultsTests",
            dependencies: ["PDefaults", "ProgramHarness", "PropertyProgram"]
        ),
        .testTarget(
            name: "SettingsEditorTests",
            dependencies: ["SettingsEditor", "SettingsStore", "PropertyList", "TerminalCanvas"]
        ),
        .testTarget(name: "CommandLanguageTests", dependencies: ["CommandLanguage", "PropertyList"]),
        // The programs themselves, in real terminals and as second processes.
        .testTarget(
            name: "ProgramTests",
            dependencies: ["ProgramHarness", "PropertyList", "SettingsStore", "Commands", "LiveDemo"]
        ),
    ]
)

// The comparison with Foundation, which Sources/Benchmarks/table runs. It has dependencies that nothing
// else needs.
if Context.environment["PDEFAULTS_BENCHMARKS"] != nil {
    package.dependencies.append(
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: [])
    )
    package.targets.append(
        .executableTarget(
            name: "Speed",
            dependencies: [
                "PDefaults", "SettingsStore", "SettingsEditor", "PropertyList", "TerminalCanvas",
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Sources/Benchmarks/Speed",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        )
    )
}
