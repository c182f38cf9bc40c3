#if Configuration
// The first example of the article about servers. It compiles with the imports of the example alone.

import Configuration
import PDefaultsProvider

private func serve() async throws {
    let settings = PDefaultsProvider(suite: .standard)
    let config = ConfigReader(providers: [EnvironmentVariablesProvider(), settings])
    let port = config.int(forKey: "http.port", default: 8080)
    print("The port is \(port).")
    try await config.watchInt(forKey: "http.port", default: 8080) { ports in
        for try await port in ports { print("The port is \(port) now.") }
    }
}
#endif
