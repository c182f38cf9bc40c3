import Foundation
import PDefaults

// Top-level code belongs to the main actor, and so do the closures in it: called on another thread they
// end the process. Here values are set by this thread, by others, and by another process.

struct Settings: Sendable {
    @PDefaults("a") var a = 0
    @PDefaults("b", behavior: .willSet) var b = 0
    @PDefaults("c") var c = ""

    func updatesOfA() -> AnyPublisher<PDefaultsUpdate<Int>, Never> { _a.updates() }

    func onMainQueue() -> AnyPublisher<Int, Never> { _a.publisher(delivery: .mainQueue) }

    func values() -> PDefaultsValues<Int> { _b.values }
}

final class Label {
    var text = ""
    var isDone = false
}

let settings = Settings()
let suite = SettingsSuite.standard
/// The suite as another process sees it.
let otherProcess = SettingsSuite(FileStorage(path: suite.location))

let label = Label()
var seen: Set<Int> = []
var subscriptions: Set<AnyCancellable> = []

settings.$a.sink { seen.insert($0) }.store(in: &subscriptions)
settings.$b.map { $0 * 10 }.filter { _ in !label.isDone }.sink { seen.insert($0) }
    .store(in: &subscriptions)
settings.$c.assign(to: \.text, on: label).store(in: &subscriptions)
settings.$a.zip(settings.$b).sink { seen.insert(1000 * $0 + $1) }.store(in: &subscriptions)
settings.$a.removeDuplicates().handleEvents(receiveOutput: { seen.insert(-$0) }).sink { _ in }
    .store(in: &subscriptions)
settings.updatesOfA().sink { seen.insert($0.value) }.store(in: &subscriptions)
settings.onMainQueue().sink { seen.insert($0) }.store(in: &subscriptions)
let listening = Task {
    for await value in settings.values() { seen.insert(value * 100) }
}

settings.a = 1
Thread { settings.a = 2 }.start()
Task.detached { settings.b = 3 }
Thread {
    otherProcess.set("other", forKey: "c")
    try? otherProcess.synchronize()
}.start()

let expected: Set<Int> = [1, 2, -2, 1003, 30, 300]
let deadline = Date() + 60
while Date() < deadline, !(seen.isSuperset(of: expected) && label.text == "other") {
    RunLoop.main.run(until: Date() + 0.01)
}
listening.cancel()
print(seen.isSuperset(of: expected) ? "all seen" : "\(seen)", label.text)
