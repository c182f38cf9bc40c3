// swift-tools-version: 6.1

import PackageDescription

// Programs as other packages have them. The tests compile them against what is already built; by itself
// this package builds with `swift run`.
let package = Package(
    name: "OtherPackage",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "PDefaults", path: "../..")],
    targets: [
        .executableTarget(
            name: "Programs",
            dependencies: [.product(name: "PDefaults", package: "PDefaults")]
        )
    ]
)
