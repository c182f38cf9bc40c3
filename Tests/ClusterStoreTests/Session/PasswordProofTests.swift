#if Cluster
import Testing

@testable import ClusterStore

@Suite("The proof that two processes use the same password")
struct PasswordProofTests {
    @Test("A proof matches the same password, and no other one", arguments: ["", "secret", "\u{E9}"])
    func matches(_ password: String) throws {
        let proof = try #require(PasswordProof(of: Secret(password)).make())
        #expect(PasswordProof(of: Secret(password)).matches(proof))
        // The last one is equal to "\u{E9}" as a Swift string.
        for other in ["Secret", "secret ", "e\u{301}"] {
            #expect(!PasswordProof(of: Secret(other)).matches(proof))
        }
    }

    @Test("Each process makes another proof of the same password")
    func salt() throws {
        let first = try #require(PasswordProof(of: "secret").make())
        #expect(PasswordProof(of: "secret").make() != first)
    }

    @Test(
        "A password that the system can't hash has no proof",
        arguments: [
            "with\0NUL", String(repeating: "x", count: 512),
        ]
    )
    func unhashable(_ password: String) {
        #expect(PasswordProof(of: Secret(password)).make() == nil)
    }

    @Test("A damaged proof matches no password", arguments: ["", "*0", "$y$", "text"])
    func damaged(_ proof: String) {
        #expect(!PasswordProof(of: "secret").matches(proof))
    }
}
#endif
