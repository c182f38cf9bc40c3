import Observation
import PDefaults

@MainActor
final class Screen {
    @PDefaults("volume") var volume = 5
    // expected-note@+1 *{{}}
    var shown = 0
    var subscription: AnyCancellable?

    func follow() {
        subscription = _volume.onUpdate {
            // expected-error@+1 {{main actor-isolated property 'shown' can not be mutated from a Sendable closure}}
            self.shown = $0.value
        }
    }
}

final class Shared: Sendable {
    // expected-error@+1 {{stored property '_volume' of 'Sendable'-conforming class 'Shared' is mutable}}
    @PDefaults("volume") var volume = 5
}

enum Globals {
    // expected-error@+1 {{static property 'volume' is not concurrency-safe because it is nonisolated global shared mutable state}}
    @PDefaults("volume") static var volume = 5
    // expected-note@-1 *{{}}
}
