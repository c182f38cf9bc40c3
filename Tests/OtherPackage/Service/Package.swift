// swift-tools-version: 6.2

import PackageDescription

// A web service as other packages have it. `Tests/long server` builds and runs it; the normal tests do not, because that
// would build a web framework.
let package = Package(
    name: "Service",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "PDefaults", path: "../../..", traits: ["Configuration"]),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0", traits: []),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(
            name: "Service",
            dependencies: [
                .product(name: "PDefaults", package: "PDefaults"),
                .product(name: "PDefaultsProvider", package: "PDefaults"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            path: "Sources"
        )
    ]
)
