#if Configuration
// The sample service of the article about servers. Its argument is the file of its suite.

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

/// Sets one value after another until it is shut down. A line on standard output acknowledges each.
struct Counter: Service {
    @PDefaults var count: Int

    init(suite: SettingsSuite) { _count = PDefaults(wrappedValue: 0, "count", suite: suite) }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                count += 1
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
            let (suite, key, location) = (error.suite, error.key ?? "", error.location)
            let metadata: Logger.Metadata = ["suite": "\(suite)", "key": "\(key)", "location": "\(location)"]
            logger.error("\(error)", metadata: metadata)
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
