import Glibc

/// The problems of layer files that this process has reported.
///
/// Problem: all suites of a process read the same global files, and each of them finds what is wrong with a file.
/// Approach: one table per process has the last problem of each file, and the version of the file. Without it, a program
/// with ten suites would report one broken file ten times.
enum ReportedLayerProblems {
    private struct Report: Equatable {
        let problem: LayerProblem
        let version: FileInfo.Identity?
    }

    /// The last report of each file, by its path.
    private static let reports = Mutex<[String: Report]>([:])

    /// Notes a problem. Returns whether the process has not reported it for this version of the file.
    static func insert(_ problem: LayerProblem, _ files: any FileSystem) -> Bool {
        let version = ((try? files.stat(problem.location)) ?? nil)?.identity
        let report = Report(problem: problem, version: version)
        return reports.withLock { reports in
            if reports[problem.location] == report { return false }
            reports[problem.location] = report
            return true
        }
    }
}
