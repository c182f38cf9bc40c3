// swift-tools-version: 6.1

import PackageDescription

// Whoever doesn't ask for clusters builds, links and fetches nothing of them.
let cluster = TargetDependencyCondition.when(traits: ["Cluster"])

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
    traits: [
        .trait(name: "Cluster", description: "Suites that are kept on an etcd cluster")
    ],
    dependencies: [
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
        // Fetched for the trait alone.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
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
        // Suites on an etcd cluster; empty without the trait.
        .target(
            name: "ClusterStore",
            dependencies: [
                "SettingsStore", "PropertyList",
                .product(name: "AsyncHTTPClient", package: "async-http-client", condition: cluster),
                .product(name: "NIOCore", package: "swift-nio", condition: cluster),
                .product(name: "NIOPosix", package: "swift-nio", condition: cluster),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: cluster),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: cluster),
            ]
        ),
        .target(
            name: "PDefaults",
            dependencies: [
                "SettingsStore", "PropertyList", "CLinux",
                .target(name: "ClusterStore", condition: cluster),
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
                "TerminalCanvas", "CLinux", "CStart",
                .target(name: "ClusterStore", condition: cluster),
            ]
        ),
        .executableTarget(name: "LiveDemo", dependencies: ["PDefaults"]),

        // Runs built programs for tests: alone, and in real terminals.
        .target(name: "ProgramHarness", dependencies: ["CLinux"], path: "Tests/ProgramHarness"),

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
        // Another process, for the cluster's tests.
        .executableTarget(
            name: "ClusterClient",
            dependencies: ["ClusterStore", "SettingsStore", "PropertyList"],
            path: "Tests/ClusterClient"
        ),
        .testTarget(
            name: "ClusterStoreTests",
            dependencies: [
                "ClusterStore", "ClusterClient", "SettingsStore", "SettingsStoreTesting", "PropertyList",
                "PDefaults", "ProgramHarness", "Commands",
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
            dependencies: [
                "SettingsEditor", "SettingsStore", "PropertyList", "TerminalCanvas", "ProgramHarness",
            ]
        ),
        .testTarget(name: "CommandLanguageTests", dependencies: ["CommandLanguage", "PropertyList"]),
        // The programs themselves, in real terminals and as second processes.
        .testTarget(
            name: "ProgramTests",
            dependencies: ["ProgramHarness", "PropertyList", "SettingsStore", "Commands", "LiveDemo"]
        ),
    ]
)

// What Sources/Benchmarks/cluster measures with.
if Context.environment["PDEFAULTS_BENCHMARKS"] == "cluster" {
    package.targets.append(
        .executableTarget(
            name: "ClusterSpeed",
            dependencies: ["ClusterStore", "SettingsStore", "PropertyList"],
            path: "Sources/Benchmarks/ClusterSpeed"
        )
    )
}

// The comparison with Foundation, which Sources/Benchmarks/table runs. It has dependencies that nothing
// else needs.
if Context.environment["PDEFAULTS_BENCHMARKS"] == "1" {
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
