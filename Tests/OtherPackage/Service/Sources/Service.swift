// A web service whose settings people change while it runs.
//
//     GET /greeting   the value of a property
//     PUT /greeting   sets the property to the text of the request
//     GET /limit      a value that the service reads through swift-configuration
//     GET /sources    each setting with its value in every layer, the one that counts first

import Configuration
import Hummingbird
import Logging
import PDefaults
import PDefaultsProvider
import ServiceLifecycle

struct Settings: Sendable {
    @PDefaults("greeting", .title("Greeting"), .length(1...80)) var greeting = "Hello"
    @PDefaults("limit", .title("Requests per second"), .range(1...1000)) var limit = 10

    /// - Throws: if the declaration refuses the value.
    func setGreeting(_ text: String) throws(PDefaultsError) { try _greeting.set(text) }

    /// A line for each layer of each setting: key, layer, value and location, with tabs between them.
    ///
    /// The first line of a setting has the value that counts. Values in the memory of the process have no location.
    func sources(in suite: SettingsSuite) -> String {
        suite.declared.declarations.keys.sorted().flatMap { key in
            suite.sources(forKey: key).map { source in
                let value = source.value.displayText(limit: 80)
                return "\(key)\t\(source.layer)\t\(value)\t\(source.location ?? "")\n"
            }
        }.joined()
    }
}

/// Stores the settings after the server has ended.
struct SettingsService: Service {
    let suite: SettingsSuite

    func run() async throws {
        try? await gracefulShutdown()
        try suite.synchronize()
    }
}

@main
struct WebService {
    static func main() async throws {
        let suite = SettingsSuite.standard
        let settings = Settings()
        let config = ConfigReader(
            providers: [EnvironmentVariablesProvider(), PDefaultsProvider(suite: suite)]
        )

        let router = Router()
        router.get("greeting") { _, _ in settings.greeting + "\n" }
        router.put("greeting") { request, _ in
            let text = String(buffer: try await request.body.collect(upTo: 1000))
            do throws(PDefaultsError) { try settings.setGreeting(text) } catch {
                throw HTTPError(.badRequest, message: error.reason)
            }
            return HTTPResponse.Status.noContent
        }
        router.get("limit") { _, _ in "\(config.int(forKey: "limit", default: settings.limit))\n" }
        router.get("sources") { _, _ in settings.sources(in: suite) }

        var logger = Logger(label: "Service")
        logger.logLevel = .warning
        let application = Application(
            router: router,
            configuration: .init(
                address: .hostname("127.0.0.1", port: config.int(forKey: "http.port", default: 8080))
            ),
            // The server ends first, so that this service stores what its last request has set.
            services: [SettingsService(suite: suite)],
            logger: logger
        )
        try await application.runService()
    }
}
