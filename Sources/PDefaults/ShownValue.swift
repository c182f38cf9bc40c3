import CLinux
import Glibc
import Synchronization

/// The value that a property shows, whatever its type.
protocol ShownValues: AnyObject, Sendable {
    /// Takes over what is to be shown; nil where there is nothing until the property connects. Called by
    /// one thread at a time.
    func show(_ update: AnyUpdate?)
}

/// The value that a property shows, apart from everything else, so that reading it takes some
/// nanoseconds: a value without references is copied without a lock, any other behind one that a single
/// atomic exchange takes. Inlinable, since code that is specialized for the type is several times as
/// fast.
///
/// Whoever reads gets nil, and has to ask the property, where no value is to be shown and where
/// somebody else is at it. So nobody waits here but `show(_:)`, for a reader who is copying.
///
/// Unchecked, since the version guards the place; for values that aren't `Sendable` see ``Locked``.
@usableFromInline
final class ShownValue<Value>: ShownValues, @unchecked Sendable {
    /// Bit 0: somebody is at the place. Bit 1: a value is there. The other bits count the values.
    @usableFromInline let version = Atomic<UInt>(0)
    /// The value; or, where values have no references, words with its bytes.
    @usableFromInline let place: UnsafeMutableRawPointer

    @inlinable static var isPlain: Bool { _isPOD(Value.self) && MemoryLayout<Value>.size <= 64 }

    @inlinable static var wordCount: Int {
        max(1, (MemoryLayout<Value>.size + MemoryLayout<UInt>.size - 1) / MemoryLayout<UInt>.size)
    }

    @inlinable var words: UnsafeMutablePointer<Atomic<UInt>> {
        place.assumingMemoryBound(to: Atomic<UInt>.self)
    }

    @inlinable var values: UnsafeMutablePointer<Value> { place.assumingMemoryBound(to: Value.self) }

    init() {
        if Self.isPlain {
            let words = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: Self.wordCount)
            for index in 0..<Self.wordCount { (words + index).initialize(to: Atomic(0)) }
            place = UnsafeMutableRawPointer(words)
        } else {
            place = UnsafeMutableRawPointer(UnsafeMutablePointer<Value>.allocate(capacity: 1))
        }
    }

    deinit {
        if !Self.isPlain, version.load(ordering: .acquiring) & 2 != 0 { values.deinitialize(count: 1) }
        place.deallocate()
    }

    @inlinable
    var value: Value? { Self.isPlain ? copiedValue : lockedValue }

    /// A sequence lock: the bytes are a value if its version was the same before and after them.
    ///
    /// `show(_:)` stores an odd version, a releasing fence and the words, in that order. Should one of
    /// the words loaded here be of that store, its fence synchronizes with the acquiring fence after
    /// them, and the version loaded then is the odd one or a later one. The first load acquires the
    /// words that belong to the version. All of them are atomic, so that there is no data race.
    @inlinable
    var copiedValue: Value? {
        let before = version.load(ordering: .acquiring)
        guard before & 3 == 2 else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt.self, capacity: Self.wordCount) { copy in
            for index in 0..<Self.wordCount { copy[index] = words[index].load(ordering: .relaxed) }
            atomicMemoryFence(ordering: .acquiring)
            guard version.load(ordering: .relaxed) == before else { return nil }
            return UnsafeRawPointer(copy.baseAddress!).loadUnaligned(fromByteOffset: 0, as: Value.self)
        }
    }

    /// A lock that is not waited for: who exchanges the version for the odd one has the place, and gives
    /// it back by storing the version as it was.
    @inlinable
    var lockedValue: Value? {
        var current = version.load(ordering: .relaxed)
        // A few times, since others who read are gone at once.
        for _ in 0..<16 where current & 2 != 0 {
            if current & 1 != 0 {
                current = version.load(ordering: .relaxed)
                continue
            }
            let (exchanged, found) = version.compareExchange(
                expected: current,
                desired: current | 1,
                ordering: .acquiring
            )
            if exchanged {
                let value = values.pointee
                giveBack(current)
                return value
            }
            current = found
        }
        return nil
    }

    /// Ends what ``lockedValue`` has begun. An optimizer that knew that nothing is released here would count the
    /// reference to the value behind it, where whoever shows the next one may have released it.
    @usableFromInline @inline(never)
    func giveBack(_ version: UInt) {
        clinux_do_nothing()
        self.version.store(version, ordering: .releasing)
    }

    func show(_ update: AnyUpdate?) {
        let old = takePlace()
        let new = (old & ~3) &+ 4 | (update == nil ? 0 : 2)
        if Self.isPlain {
            atomicMemoryFence(ordering: .releasing)
            if let update { store(update) }
            return version.store(new, ordering: .releasing)
        }
        withUnsafeTemporaryAllocation(of: Value.self, capacity: old & 2 == 0 ? 0 : 1) { outgoing in
            let shown = UnsafeMutableBufferPointer(start: values, count: outgoing.count)
            _ = outgoing.moveInitialize(fromContentsOf: shown)
            update?.initializeValue(at: place)
            version.store(new, ordering: .releasing)
            // It goes away with nobody waiting for that.
            outgoing.deinitialize()
        }
    }

    /// Waits for those who are reading, and returns the version that the place had.
    private func takePlace() -> UInt {
        var attempts = 0
        while true {
            let current = version.load(ordering: .relaxed) & ~1
            if version.compareExchange(expected: current, desired: current | 1, ordering: .acquiring)
                .exchanged
            {
                return current
            }
            attempts += 1
            // A reader has lost the processor.
            if attempts > 100 { usleep(20) }
        }
    }

    private func store(_ update: AnyUpdate) {
        let wordSize = MemoryLayout<UInt>.size
        withUnsafeTemporaryAllocation(
            byteCount: Self.wordCount * wordSize,
            alignment: max(MemoryLayout<Value>.alignment, MemoryLayout<UInt>.alignment)
        ) { copy in
            copy.storeBytes(of: 0, toByteOffset: (Self.wordCount - 1) * wordSize, as: UInt.self)
            update.initializeValue(at: copy.baseAddress!)
            for index in 0..<Self.wordCount {
                words[index].store(
                    copy.load(fromByteOffset: index * wordSize, as: UInt.self),
                    ordering: .relaxed
                )
            }
        }
    }
}
