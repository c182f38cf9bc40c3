// swift-tools-version: 6.1

import PackageDescription

// Imports go down only. The targets below are ordered from the lowest to the highest. What the package traits add is at the
// end.
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
        .target(name: "CStartup"),
        .target(name: "CNcurses", linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "TerminalCanvas"),
        .target(name: "Terminal", dependencies: ["TerminalCanvas", "CNcurses"]),

        .target(name: "PropertyList"),
        .target(name: "CLinux"),
        .target(name: "SettingsStore", dependencies: ["PropertyList", "CLinux"]),
        // The checks that every storage backend passes, and a file system that fails on request.
        .target(name: "SettingsStoreTesting", dependencies: ["SettingsStore", "PropertyList"]),
        // Suites on an etcd cluster; empty without the trait.
        .target(name: "ClusterStore", dependencies: ["SettingsStore", "PropertyList", "CLinux"]),
        .target(
            name: "PDefaults",
            dependencies: [
                "SettingsStore", "PropertyList", "CLinux",
                .product(name: "OpenCombine", package: "OpenCombine"),
            ]
        ),

        // Differences between two values, and the three-way merge.
        .target(name: "ValueDiff", dependencies: ["PropertyList"]),
        // The command line as data. It uses no files and no terminal.
        .target(name: "CommandLanguage", dependencies: ["ValueDiff", "PropertyList"]),
        // What a settings file asks for, and what has to change. It uses no files.
        .target(name: "DesiredSettings", dependencies: ["CommandLanguage", "PropertyList"]),
        .target(
            name: "SettingsEditor",
            dependencies: [
                "CommandLanguage", "DesiredSettings", "ValueDiff", "SettingsStore", "PropertyList",
                "TerminalCanvas",
            ]
        ),

        // Not named `pdefaults`, because that would differ from `PDefaults` only by case.
        .executableTarget(
            name: "Commands",
            dependencies: [
                "CommandLanguage", "DesiredSettings", "SettingsEditor", "SettingsStore", "PropertyList",
                "Terminal",
                "TerminalCanvas", "CLinux", "CStartup",
            ]
        ),
        .executableTarget(name: "LiveDemo", dependencies: ["PDefaults"]),

        // Runs built programs in tests, also in real terminals.
        .target(
            name: "ProgramHarness",
            dependencies: ["CLinux", "PropertyList"],
            path: "Tests/ProgramHarness"
        ),

        .testTarget(name: "TerminalCanvasTests", dependencies: ["TerminalCanvas"]),
        // Prints what a terminal sends, and ends in every way that a program can end.
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
        // A second process for the store's tests.
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
        // A second process for the cluster's tests.
        .executableTarget(
            name: "ClusterClient",
            dependencies: ["ClusterStore", "SettingsStore", "PropertyList"],
            path: "Tests/ClusterClient"
        ),
        // Starts etcd servers for tests; empty without the trait.
        .target(
            name: "EtcdHarness",
            dependencies: ["ClusterStore", "SettingsStore", "SettingsStoreTesting", "ProgramHarness"],
            path: "Tests/EtcdHarness"
        ),
        .testTarget(
            name: "ClusterStoreTests",
            dependencies: [
                "ClusterStore", "ClusterClient", "SettingsStore", "SettingsStoreTesting", "PropertyList",
                "PDefaults", "ProgramHarness", "EtcdHarness", "Commands",
            ]
        ),
        // A second process with properties, for the library's tests.
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
            name: "ValueDiffTests",
            dependencies: ["ValueDiff", "PropertyList", "ProgramHarness"]
        ),
        .testTarget(
            name: "SettingsEditorTests",
            dependencies: [
                "SettingsEditor", "DesiredSettings", "ValueDiff", "SettingsStore", "PropertyList",
                "TerminalCanvas", "ProgramHarness",
            ],
            exclude: ["View/Screens"]
        ),
        .testTarget(
            name: "CommandLanguageTests",
            dependencies: ["CommandLanguage", "PropertyList", "ProgramHarness"]
        ),
        .testTarget(
            name: "DesiredSettingsTests",
            dependencies: ["DesiredSettings", "PropertyList", "ProgramHarness"]
        ),
        // Tests the built programs, in real terminals and as second processes.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "ProgramHarness", "PropertyList", "CommandLanguage", "SettingsEditor", "SettingsStore",
                "Commands",
                "LiveDemo",
            ]
        ),
    ]
)

// The package traits: suites on an etcd cluster, suites as providers for swift-configuration, and the desktop's settings.
//
// They need Swift 6.2, like the packages that they use. Older compilers see a package without traits, because they fetch the
// packages of a trait even if it is off, and then find no version that they can build.
#if compiler(>=6.2)
let cluster = TargetDependencyCondition.when(traits: ["Cluster"])
let configuration = TargetDependencyCondition.when(traits: ["Configuration"])
let gsettings = TargetDependencyCondition.when(traits: ["GSettings"])

package.traits = [
    .trait(name: "Cluster", description: "Suites that are kept on an etcd cluster"),
    .trait(name: "Configuration", description: "Suites as providers for swift-configuration"),
    .trait(name: "GSettings", description: "The desktop's settings as suites (needs libglib2.0-dev)"),
]
// The Swift Package Index sets this variable to build the documentation. It cannot choose traits.
if Context.environment["SPI_GENERATE_DOCS"] != nil {
    package.traits.insert(.default(enabledTraits: ["Configuration"]))
}
package.products.append(.library(name: "PDefaultsProvider", targets: ["PDefaultsProvider"]))
// The program that Sources/Benchmarks/server measures with. It also measures swift-configuration's own file provider.
let measuresServer = Context.environment["PDEFAULTS_BENCHMARKS"] == "server"
// Fetched only with their trait.
package.dependencies += [
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(
        url: "https://github.com/apple/swift-configuration.git",
        from: "1.4.0",
        traits: measuresServer ? ["PropertyList", "Reloading"] : []
    ),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
]
for target in package.targets {
    switch target.name {
    case "ClusterStore":
        target.dependencies += [
            .product(name: "AsyncHTTPClient", package: "async-http-client", condition: cluster),
            .product(name: "NIOCore", package: "swift-nio", condition: cluster),
            .product(name: "NIOPosix", package: "swift-nio", condition: cluster),
            .product(name: "NIOHTTP1", package: "swift-nio", condition: cluster),
            .product(name: "NIOSSL", package: "swift-nio-ssl", condition: cluster),
        ]
    case "PDefaults", "Commands":
        target.dependencies += [
            .target(name: "ClusterStore", condition: cluster),
            .target(name: "GSettingsStore", condition: gsettings),
        ]
    default: break
    }
}
package.targets += [
    .target(
        name: "CGio",
        linkerSettings: ["gio-2.0", "gobject-2.0", "glib-2.0"].map {
            .linkedLibrary($0, .when(traits: ["GSettings"]))
        }
    ),
    // The desktop's settings; empty without the trait.
    .target(
        name: "GSettingsStore",
        dependencies: ["SettingsStore", "PropertyList", .target(name: "CGio", condition: gsettings)]
    ),
    .testTarget(
        name: "GSettingsStoreTests",
        dependencies: [
            "GSettingsStore", "SettingsStore", "SettingsStoreTesting", "PropertyList", "PDefaults",
            "ProgramHarness", "Commands",
        ]
    ),
    // Empty without the trait.
    .target(
        name: "PDefaultsProvider",
        dependencies: [
            "SettingsStore", "PropertyList",
            .target(name: "ClusterStore", condition: cluster),
            .product(name: "Configuration", package: "swift-configuration", condition: configuration),
        ],
        // As in swift-configuration, whose protocols require it.
        swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
    ),
    // A service that stores its settings when it is shut down, for the tests and the article about servers.
    .executableTarget(
        name: "GracefulService",
        dependencies: [
            "PDefaults",
            .product(
                name: "ServiceLifecycle",
                package: "swift-service-lifecycle",
                condition: configuration
            ),
            .product(name: "Logging", package: "swift-log", condition: configuration),
        ],
        path: "Tests/GracefulService"
    ),
    .testTarget(
        name: "PDefaultsProviderTests",
        dependencies: [
            "PDefaultsProvider", "PDefaults", "SettingsStore", "SettingsStoreTesting", "PropertyList",
            "ProgramHarness", "EtcdHarness", "StoreWriter", "GracefulService",
            .product(
                name: "ConfigurationTesting",
                package: "swift-configuration",
                condition: configuration
            ),
        ]
    ),
]
if measuresServer {
    package.targets.append(
        .executableTarget(
            name: "ServerSpeed",
            dependencies: [
                "PDefaults", "PDefaultsProvider",
                .product(
                    name: "Configuration",
                    package: "swift-configuration",
                    condition: configuration
                ),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: configuration
                ),
                .product(name: "Logging", package: "swift-log", condition: configuration),
            ],
            path: "Sources/Benchmarks/ServerSpeed"
        )
    )
}
#endif

// The program that Sources/Benchmarks/cluster measures with.
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
