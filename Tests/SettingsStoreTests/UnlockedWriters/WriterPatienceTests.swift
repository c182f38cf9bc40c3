import Testing

@testable import SettingsStore

@Suite("How long a write waits for an unlocked writer")
struct WriterPatienceTests {
    private let files = InterferingFileSystem.withStoppedClock()

    @Test("A wait does not count while the other program waits for the disk, and then ends after 25 ms")
    func slowDisk() {
        var patience = WriterPatience()
        var stalls = 0
        patience.wait(files) {
            false
        } isStalled: {
            stalls += 1
            return stalls <= 10
        }
        #expect(stalls == 11)
        #expect(files.paused > 0.27 && files.paused < 0.29)
        #expect(!patience.mayWait, "it has waited in vain")
    }

    @Test("A program that waits for the disk for ever holds up a write for ten seconds")
    func stuckDisk() {
        var patience = WriterPatience()
        patience.wait(files, until: { false }, isStalled: { true })
        #expect(files.paused > 10 && files.paused < 10.5)
    }
}
