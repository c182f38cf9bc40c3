import Glibc
import SettingsStore
import Synchronization

/// Options for all properties of the process.
public enum PDefaultsConfiguration {
    /// How often mocking was switched; odd while all properties are mocked.
    private static let mockCount = Atomic(0)
    private static let listeners = Mutex<[WriterID: AsyncStream<PDefaultsError>.Continuation]>([:])
    private static let handler = Mutex(Handler(call: printToStandardError))

    /// A structure, since Swift would wrap a function in the `Mutex` in another function at each read.
    private struct Handler {
        var call: @Sendable (PDefaultsError) -> Void
    }

    private static let registersDefaultsFlag = Atomic(false)

    /// Whether a property that is declared from now on registers its default in its suite, so that code that reads the
    /// key through the suite gets it. It is false at first. The parameter `register` of a declaration comes before it.
    public static var registersDefaults: Bool {
        get { registersDefaultsFlag.load(ordering: .relaxed) }
        set { registersDefaultsFlag.store(newValue, ordering: .relaxed) }
    }

    /// Whether all properties are mocked, as if ``PDefaults/mock`` were set on each.
    ///
    /// Each property starts from its own default and has a value of its own, even if several properties have the same
    /// key. No suite is read or written. Set this to true again to start from the defaults again.
    ///
    /// Properties in use are switched before the set returns. Their subscribers stay, and receive the value that shows
    /// then. Use `withMock` for tests in which properties with the same key share a value.
    public static var mock: Bool {
        get { mockNumber != 0 }
        set {
            ReadShortcut.shared.close()
            var count = mockCount.load(ordering: .relaxed)
            var isExchanged = false
            while !isExchanged {
                let isMocked = count % 2 == 1
                (isExchanged, count) = mockCount.compareExchange(
                    expected: count,
                    desired: count + (isMocked == newValue ? 2 : 1),
                    ordering: .relaxed
                )
            }
            PropertyRegistry.shared.reconnectAll()
        }
    }

    /// The number of the current mocking of all properties; 0 while they are not mocked.
    static var mockNumber: Int {
        let count = mockCount.load(ordering: .relaxed)
        return count % 2 == 1 ? count : 0
    }

    /// Runs the body with all properties in memory, for this task and its children.
    ///
    /// Tests that use it can run in parallel. Each call starts from the defaults. Properties with the same suite and
    /// key share their value, as they do without mocks.
    public static func withMock<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        ReadShortcut.shared.close()
        let outcome = MockStore.$current.withValue(MockStore()) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }

    /// Runs an asynchronous body with all properties in memory, for this task and its children.
    public static func withMock<Result, Failure: Error>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        ReadShortcut.shared.close()
        let outcome = await MockStore.$current.withValue(
            MockStore(),
            operation: { () -> Swift.Result<Result, Failure> in
                do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
            },
            isolation: isolation
        )
        return try outcome.get()
    }

    /// The errors from now on that a property can't throw.
    ///
    /// Each sequence receives all errors. One that falls more than 1,000 errors behind misses the oldest.
    public static var errors: AsyncStream<PDefaultsError> {
        // Also in a program without properties.
        reportsSuites
        let (stream, continuation) = AsyncStream<PDefaultsError>.makeStream(
            bufferingPolicy: .bufferingNewest(1000)
        )
        let id = WriterID()
        listeners.withLock { $0[id] = continuation }
        continuation.onTermination = { _ in _ = listeners.withLock { $0.removeValue(forKey: id) } }
        return stream
    }

    /// The handler of the errors that a property can't throw. By default it prints a line to standard error.
    ///
    /// The library calls it on any thread, and holds no lock then: it may set properties and synchronize suites.
    /// <doc:Server#Errors-in-the-log> has the lines that send the errors to swift-log.
    public static var onError: @Sendable (PDefaultsError) -> Void {
        get { handler.withLock { $0 }.call }
        set {
            // Also in a program without properties, the handler receives the failures of its suites.
            reportsSuites
            // The previous handler is released outside the lock.
            _ = handler.withLock { handler in
                defer { handler.call = newValue }
                return handler
            }
        }
    }

    /// Reports failures of the suites too, from the first property or handler on.
    static let reportsSuites: Void = {
        if SettingsSuite.onFailure != nil { return }
        SettingsSuite.onFailure = { location, error in
            if case .invalid(_, let invalid) = error {
                report(PDefaultsError(refused: invalid, at: location))
            } else if case .locked(let key, let path) = error {
                report(PDefaultsError(lockOf: key, by: path, at: location))
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
        let line = MessageText.escaped("\(error)") + "\n"
        _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    }
}
