import CLinux
import Glibc
import Synchronization

/// A snapshot of a property's value, without the type of the value.
protocol AnyValueSnapshot: AnyObject, Sendable {
    /// Replaces the value; nil if readers have to ask the property. One thread at a time calls this.
    func show(_ update: AnyPropertyUpdate?)
}

/// A copy of the value that a property shows, for quick reads.
///
/// Problem: programs read settings in inner loops, where a read should take under 20 ns. Approach: a value without
/// references is copied without a lock (a sequence lock); any other value is copied behind a lock that one atomic
/// exchange takes and that no reader waits for. Without it, each read would take the property's lock, and would wait
/// for the threads that set the property.
///
/// A reader gets nil if there is no value, or if another thread is using it. The reader then asks the property. Only
/// ``show(_:)`` waits, for a reader that is copying.
///
/// Inlinable, since code that is specialized for the type is several times as fast. Our own code, since neither the
/// standard library nor Foundation has a lock that gives up instead of waiting, or an atomic value of any size.
///
/// Unchecked, since the version guards the memory; for values that aren't `Sendable` see ``Locked``.
@usableFromInline
final class ValueSnapshot<Value>: AnyValueSnapshot, @unchecked Sendable {
    /// Bit 0: a thread is using the memory. Bit 1: there is a value. The other bits count the values.
    @usableFromInline let version = Atomic<UInt>(0)
    /// The value. If values have no references: words with its bytes.
    @usableFromInline let memory: UnsafeMutableRawPointer

    @inlinable static var isPlain: Bool { _isPOD(Value.self) && MemoryLayout<Value>.size <= 64 }

    @inlinable static var wordCount: Int {
        max(1, (MemoryLayout<Value>.size + MemoryLayout<UInt>.size - 1) / MemoryLayout<UInt>.size)
    }

    @inlinable var words: UnsafeMutablePointer<Atomic<UInt>> {
        memory.assumingMemoryBound(to: Atomic<UInt>.self)
    }

    @inlinable var values: UnsafeMutablePointer<Value> { memory.assumingMemoryBound(to: Value.self) }

    init() {
        if Self.isPlain {
            let words = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: Self.wordCount)
            for index in 0..<Self.wordCount { (words + index).initialize(to: Atomic(0)) }
            memory = UnsafeMutableRawPointer(words)
        } else {
            memory = UnsafeMutableRawPointer(UnsafeMutablePointer<Value>.allocate(capacity: 1))
        }
    }

    deinit {
        if !Self.isPlain, version.load(ordering: .acquiring) & 2 != 0 { values.deinitialize(count: 1) }
        memory.deallocate()
    }

    @inlinable
    var value: Value? { Self.isPlain ? copiedValue : lockedValue }

    /// A sequence lock: the bytes are a value if the version was the same before and after them.
    ///
    /// `show(_:)` stores an odd version, then has a releasing fence, then stores the words. If a word loaded here comes
    /// from that store, the fence of `show(_:)` synchronizes with the acquiring fence below, and the second load of the
    /// version gives the odd version or a later one. The first load acquires the words that belong to its version. All
    /// words are atomic, so there is no data race.
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

    /// A lock that readers do not wait for: the thread that exchanges the version for the odd one has the memory, and
    /// gives it back when it stores the version as it was.
    @inlinable
    var lockedValue: Value? {
        var current = version.load(ordering: .relaxed)
        // A few attempts, since another reader is done at once.
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

    /// Ends ``lockedValue``'s use of the memory. Not inlined: an optimizer that knows that this releases nothing would
    /// retain the value after it, when ``show(_:)`` may have released the value already.
    @usableFromInline @inline(never)
    func giveBack(_ version: UInt) {
        clinux_do_nothing()
        self.version.store(version, ordering: .releasing)
    }

    func show(_ update: AnyPropertyUpdate?) {
        let old = lockMemory()
        let new = (old & ~3) &+ 4 | (update == nil ? 0 : 2)
        if Self.isPlain {
            atomicMemoryFence(ordering: .releasing)
            if let update { store(update) }
            return version.store(new, ordering: .releasing)
        }
        withUnsafeTemporaryAllocation(of: Value.self, capacity: old & 2 == 0 ? 0 : 1) { outgoing in
            let shown = UnsafeMutableBufferPointer(start: values, count: outgoing.count)
            _ = outgoing.moveInitialize(fromContentsOf: shown)
            update?.initializeValue(at: memory)
            version.store(new, ordering: .releasing)
            // This is not the last reference to the value: the property holds the update with the value until after it
            // has unlocked. No reader waits for this.
            outgoing.deinitialize()
        }
    }

    /// Waits for a reader to finish, and returns the version before.
    private func lockMemory() -> UInt {
        var attempts = 0
        while true {
            let current = version.load(ordering: .relaxed) & ~1
            if version.compareExchange(expected: current, desired: current | 1, ordering: .acquiring)
                .exchanged
            {
                return current
            }
            attempts += 1
            // The reader's thread is not running at the moment.
            if attempts > 100 { usleep(20) }
        }
    }

    private func store(_ update: AnyPropertyUpdate) {
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
