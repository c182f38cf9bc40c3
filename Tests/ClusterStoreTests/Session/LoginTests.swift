#if Cluster
import ClusterStore
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite(
    "Suites with different configurations share nothing",
    .enabled(if: EtcdServer.isInstalled, Comment(rawValue: EtcdServer.needs))
)
struct LoginTests {
    let server: EtcdServer
    let folder: TemporaryFolder

    init() throws {
        server = try .started()
        try server.requireUsers(
            "user add app:secret",
            "role add settings",
            "role grant-permission --prefix=true settings readwrite /pdefaults/",
            "user grant-role app settings"
        )
        folder = try TemporaryFolder()
    }

    private func cluster(_ user: String, _ password: Secret) -> SettingsCluster {
        var cluster = SettingsCluster.etcd(server.url, user: user, password: password)
        cluster.copies = .none
        return cluster
    }

    /// The values on the server, as the superuser reads them.
    private func stored() throws -> [String: PropertyListValue] {
        try SettingsSuite.separate("App", in: cluster("root", "top")).storedValues
    }

    @Test(
        "A suite with a wrong password can't read or write through the login of another suite"
    )
    func wrongPassword() throws {
        let right = try SettingsSuite(named: "App", in: cluster("app", "secret"))
        try right.store("right", forKey: "a")
        let wrong = try SettingsSuite(named: "App", in: cluster("app", "wrong"))
        #expect(right != wrong)
        #expect(wrong.storedValues == [:])
        wrong.set("wrong", forKey: "a")
        let error = #expect(throws: SettingsError.self) { try wrong.synchronize() }
        #expect("\(try #require(error))".contains("authentication failed"))
        try right.synchronize()
        #expect(right.storedValues == ["a": "right"])
        #expect(try stored() == ["a": "right"])
    }

    @Test("Suites with equal configurations share their values, whatever the order of the servers")
    func sharing() throws {
        func suite(_ servers: String..., change: (inout SettingsCluster) -> Void = { _ in }) throws
            -> SettingsSuite
        {
            var cluster = SettingsCluster.etcd(
                servers.joined(separator: ","),
                prefix: "/p/",
                user: "app",
                password: "\u{E9}",
                authority: "/ca",
                certificate: "/cert",
                key: "/key"
            )
            cluster.copies = .none
            change(&cluster)
            return try SettingsSuite(named: "App", in: cluster)
        }
        let one = try suite("https://a", "https://b")
        #expect(try one == suite("https://a", "https://b"))
        #expect(try one == suite("b/", "HTTPS://A", "a"))
        let others = [
            try suite("https://a"),
            try suite("https://a", "https://b") { $0.prefix = "/q/" },
            try suite("https://a", "https://b") { $0.user = "two" },
            try suite("https://a", "https://b") { $0.user = nil },
            try suite("https://a", "https://b") { $0.password = "e" },
            // Equal as Swift strings, but different bytes for a server.
            try suite("https://a", "https://b") { $0.password = "e\u{301}" },
            try suite("https://a", "https://b") { $0.password = nil },
            try suite("https://a", "https://b") { $0.allowsCleartextPassword = true },
            try suite("https://a", "https://b") { $0.authorityPath = nil },
            try suite("https://a", "https://b") { $0.certificatePath = "/other" },
            try suite("https://a", "https://b") { $0.keyPath = "/other" },
            try suite("https://a", "https://b") { $0.whileUnreachable = .refuse },
            try suite("https://a", "https://b") { $0.copies = .kept(SettingsFolder(path: folder.path)) },
            try suite("https://a", "https://b") { $0.patience = 1 },
        ]
        #expect(Set(others + [one]).count == others.count + 1)
    }
}
#endif
