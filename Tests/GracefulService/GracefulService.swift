#if Configuration
import Logging
import PDefaults
import ServiceLifecycle

/// Stores the settings after the other services have ended.
///
/// A group ends its services in the opposite order, so the first service ends last.
struct SettingsService: Service {
    let suite: SettingsSuite

    func run() async throws {
        try? await gracefulShutdown()
        try suite.synchronize()
    }
}

/// Sets one setting after another until it is shut down. A line on standard output acknowledges each.
struct Counter: Service {
    let suite: SettingsSuite

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var count = 0
            while !Task.isCancelled {
                count += 1
                suite.set(.integer(PropertyListInteger(count)), forKey: "count")
                print(count)
                await Task.yield()
            }
        }
    }
}

@main
struct GracefulService {
    static func main() async throws {
        let logger = Logger(label: "service")
        PDefaultsConfiguration.onError = { error in
            let (suite, key) = (error.location.split(separator: "/").last ?? "", error.key ?? "")
            let metadata = ["suite": "\(suite)", "key": "\(key)", "location": "\(error.location)"]
            logger.error("\(error)", metadata: metadata.mapValues { .string($0) })
        }
        let suite = SettingsSuite(file: CommandLine.arguments[1])
        let group = ServiceGroup(
            services: [SettingsService(suite: suite), Counter(suite: suite)],
            gracefulShutdownSignals: [.sigterm],
            logger: logger
        )
        try await group.run()
        print("Pending: \(suite.status.pendingKeys)")
    }
}
#else
@main
struct GracefulService {
    static func main() {}
}
#endif
