#if Cluster
import Foundation
import Testing

@testable import ClusterStore

@Suite("The description of a creation in progress")
struct CreationMarkerTests {
    @Test("A creator counts as ended only if its process number belongs to this machine and namespace")
    func ended() throws {
        let own = CreationMarker(keys: 5).bytes
        #expect(CreationMarker.description(of: own).hasPrefix("is being created by "))
        var fields = try #require(try JSONSerialization.jsonObject(with: Data(own)) as? [String: Any])
        // Linux has no process with such a number.
        fields["process"] = 1 << 30
        func words() throws -> String {
            CreationMarker.description(of: [UInt8](try JSONSerialization.data(withJSONObject: fields)))
        }
        #expect(try words().contains("and has ended"))
        for space in ["another start of the machine, or another container", nil] {
            fields["space"] = space
            #expect(try words().hasPrefix("is being created by "))
            #expect(try !words().contains("and has ended"))
        }
    }
}
#endif
