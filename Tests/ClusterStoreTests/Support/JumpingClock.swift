#if Cluster
import Foundation
import ProgramHarness

/// A wall clock for programs that are started with its environment. A test can change it while they run.
final class JumpingClock: Sendable {
    /// A library that is loaded before the C library (ld.so(8), LD_PRELOAD).
    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/time.h>
        #include <time.h>

        static volatile long *shift;

        __attribute__((constructor)) static void begin(void) {
            int file = open(getenv("JUMPING_CLOCK"), O_RDONLY);
            void *page = mmap(0, sizeof(long), PROT_READ, MAP_SHARED, file, 0);
            if (page != MAP_FAILED) shift = page;
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            static int (*real)(clockid_t, struct timespec *);
            if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
            int result = real(clock, time);
            if (!result && shift && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
                time->tv_sec += *shift;
            return result;
        }

        int gettimeofday(struct timeval *restrict time, void *restrict zone) {
            struct timespec now;
            int result = clock_gettime(CLOCK_REALTIME, &now);
            time->tv_sec = now.tv_sec;
            time->tv_usec = now.tv_nsec / 1000;
            return result;
        }

        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }
        """

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try Data(Self.source.utf8).write(to: URL(fileURLWithPath: folder.file("clock.c")))
        let words = ["-shared", "-fPIC", "-o", folder.file("clock.so"), folder.file("clock.c")]
        let result = try run("clang", words)
        guard result.ending == .exit(0) else { throw HarnessError(result.errors) }
        jump(to: 0)
    }

    var environment: [String: String] {
        ProcessInfo.processInfo.environment.merging(
            ["LD_PRELOAD": folder.file("clock.so"), "JUMPING_CLOCK": folder.file("shift")]
        ) { $1 }
    }

    /// - Parameter seconds: how far the clock is ahead from now on.
    func jump(to seconds: Int) { Self.write(seconds, to: folder.file("shift")) }

    static func write(_ seconds: Int, to path: String) {
        let file = open(path, O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        var seconds = seconds
        pwrite(file, &seconds, MemoryLayout<Int>.size, 0)
    }
}
#endif
