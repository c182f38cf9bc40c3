import Dispatch
import Foundation
import ProgramHarness
import PropertyList
import SettingsStore
import SettingsStoreTesting
import Testing

@Suite("A suite that waits does not delay other suites")
struct SlowSuiteTests {
    let folder: TemporaryFolder
    private let watcher = FolderWatcher()

    init() throws { folder = try TemporaryFolder() }

    private func suite(_ name: String, _ files: any FileSystem = LiveFileSystem()) -> SettingsSuite {
        SettingsSuite(
            FileStorage(path: folder.file("\(name).plist"), files: files, watcher: watcher),
            scheduler: LiveWorkScheduler()
        )
    }

    @Test("Observers that do not return delay no other suite")
    func observers() throws {
        let release = DispatchSemaphore(value: 0)
        let told = Recorder<String>()
        let names = ["first", "second", "third", "last"]
        let observations = names.map { name in
            suite(name).observe("a") { _ in
                told.note(name)
                if name != "last" { release.wait() }
            }.observation
        }
        for (index, name) in names.enumerated() {
            try folder.write(["a": 1], to: folder.file("\(name).plist"))
            #expect(eventually { told.all == Array(names[...index]) })
        }
        for _ in names { release.signal() }
        for observation in observations { observation.cancel() }
    }

    @Test("A disk that hangs during a write delays no other suite")
    func disk() throws {
        let files = InterferingFileSystem()
        let (hangs, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        files.interfere(before: .rename) {
            hangs.signal()
            release.wait()
        }
        let (held, other) = (suite("held", files), suite("other"))
        let told = Recorder<PropertyListValue?>()
        let observations = [held.observe { _ in }, other.observe("a") { told.note($0.new) }.observation]
        held.set(1, forKey: "a")
        hangs.wait()
        for value in 1...3 {
            try folder.write(["a": PropertyListValue(value)], to: folder.file("other.plist"))
            #expect(eventually { told.all.last == PropertyListValue(value) })
        }
        #expect(held.status.pendingKeys == 1)
        release.signal()
        try held.synchronize()
        #expect(try folder.values(at: folder.file("held.plist")) == ["a": 1])
        for observation in observations { observation.cancel() }
    }
}
