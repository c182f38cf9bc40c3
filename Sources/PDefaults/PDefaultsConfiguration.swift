import Glibc
import SettingsStore
import Synchronization

/// What holds for all properties of the process.
public enum PDefaultsConfiguration {
    private static let mockStore = Mutex<MockStore?>(nil)
    /// Counts the mock stores; odd while there is one.
    private static let mockCount = Atomic(0)
    private static let listeners = Mutex<[WriterID: AsyncStream<PDefaultsError>.Continuation]>([:])
    private static let handler = Mutex(Handler(call: printToStandardError))

    /// A function by itself in a `Mutex` would be wrapped in another one each time it is read.
    private struct Handler {
        var call: @Sendable (PDefaultsError) -> Void
    }

    /// Whether all properties keep to memory: they start from their defaults, those on the same key
    /// share their value, and no suite of theirs is read or written. Setting it to true starts anew.
    ///
    /// Properties in use take notice before this returns: their subscribers stay, and are told the value
    /// that shows then.
    public static var mock: Bool {
        get { mockNumber != 0 }
        set {
            Mocking.shared.hasBeenUsed.store(true, ordering: .relaxed)
            mockStore.withLock { store in
                store = newValue ? MockStore() : nil
                let count = mockCount.load(ordering: .relaxed)
                let isOdd = count % 2 == 1
                mockCount.store(count + (isOdd == newValue ? 2 : 1), ordering: .relaxed)
            }
            UsedProperties.shared.takeNotice()
        }
    }

    /// The number of the mock store in use; 0 where properties are not mocked.
    static var mockNumber: Int {
        let count = mockCount.load(ordering: .relaxed)
        return count % 2 == 1 ? count : 0
    }

    /// The suite that stands in for another while ``mock`` is set.
    static func mockSuite(for suite: SettingsSuite) -> SettingsSuite {
        mockStore.withLock { $0 }?.suite(for: suite) ?? .inMemory()
    }

    /// Runs a body in which all properties keep to memory, for this task and its children alone, so
    /// that tests can run beside each other. Each call starts from the defaults.
    public static func withMock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        Mocking.shared.hasBeenUsed.store(true, ordering: .relaxed)
        let outcome = MockStore.$current.withValue(MockStore()) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// The same for a body that waits.
    public static func withMock<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        Mocking.shared.hasBeenUsed.store(true, ordering: .relaxed)
        let outcome = await MockStore.$current.withValue(
            MockStore(),
            operation: { () -> Swift.Result<Result, Failure> in
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            },
            isolation: isolation
        )
        return try outcome.get()
    }

    /// What goes wrong from now on where a property can't throw it.
    ///
    /// Each iteration has its own; one that falls more than 1,000 behind misses the oldest.
    public static var errors: AsyncStream<PDefaultsError> {
        let (stream, continuation) = AsyncStream<PDefaultsError>.makeStream(
            bufferingPolicy: .bufferingNewest(1000)
        )
        let id = WriterID()
        listeners.withLock { $0[id] = continuation }
        continuation.onTermination = { _ in _ = listeners.withLock { $0.removeValue(forKey: id) } }
        return stream
    }

    /// Is told the same. May be called on any thread. At first it prints a line to standard error.
    public static var onError: @Sendable (PDefaultsError) -> Void {
        get { handler.withLock { $0 }.call }
        set { handler.withLock { $0.call = newValue } }
    }

    /// Has failures of the suites reported as well; from the first property on.
    static let reportsSuites: Void = {
        if SettingsSuite.onFailure != nil { return }
        SettingsSuite.onFailure = { location, error in
            if case .invalid(_, let invalid) = error {
                report(PDefaultsError(refused: invalid, at: location))
            } else {
                report(
                    PDefaultsError(key: nil, location: location, problem: .suite(error), reason: "\(error)")
                )
            }
        }
    }()

    static func report(_ error: PDefaultsError) {
        for listener in listeners.withLock({ Array($0.values) }) { listener.yield(error) }
        onError(error)
    }

    @Sendable private static func printToStandardError(_ error: PDefaultsError) {
        var line = "\(error)".unicodeScalars.map { scalar in
            // What a file holds never reaches a terminal as a control sequence.
            scalar.properties.generalCategory == .control ? "?" : String(scalar)
        }.joined()
        line += "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
