#if Cluster
import Foundation
import Testing

@testable import ClusterStore

@Suite("Who makes a suite")
struct SuiteMakingTests {
    @Test("has ended only where that can be known: in what this process's number counts in, too")
    func ended() throws {
        let own = SuiteMaking(keys: 5).bytes
        #expect(SuiteMaking.words(for: own).hasPrefix("is being made by "))
        var fields = try #require(try JSONSerialization.jsonObject(with: Data(own)) as? [String: Any])
        // More than Linux has.
        fields["process"] = 1 << 30
        func words() throws -> String {
            SuiteMaking.words(for: [UInt8](try JSONSerialization.data(withJSONObject: fields)))
        }
        #expect(try words().contains("which has ended"))
        for space in ["another start of the machine, or another container", nil] {
            fields["space"] = space
            #expect(try words().hasPrefix("is being made by "))
            #expect(try !words().contains("which has ended"))
        }
    }
}
#endif
