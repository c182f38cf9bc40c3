import CommandLanguage
import FoundationEssentials
import PropertyList
import SettingsStore

/// `check`: whether domains can be read, hold what their programs have declared, and never held what
/// no program could read.
func check(_ line: CommandWords, in place: any SuitePlace) throws {
    let domains =
        line.words.isEmpty
        ? try line.allDomains(in: place.readAtOnce())
        : try line.words.map { try Domain($0, in: place) }
    let problems = domains.flatMap { domain in domain.problems.map { (domain: domain.name, problem: $0) } }
    if line.has(.json) {
        Output.json(.array(problems.map { ["domain": .string($0.domain), "problem": .string($0.problem)] }))
    } else {
        for (domain, problem) in problems { Output.line("\(lineName(domain)): \(problem)") }
        if problems.isEmpty {
            Output.line(domains.count == 1 ? "1 domain is whole" : "\(domains.count) domains are whole")
        }
    }
    if !problems.isEmpty { throw ExitCode(ExitStatus.failure) }
}

extension Domain {
    /// What is wrong with it, in the order of its keys.
    fileprivate var problems: [String] {
        var problems: [String] = []
        var systemHasRefused = false
        func note(_ error: any Error) {
            if case .system? = error as? SettingsError {
                // What keeps the system from one file keeps it from those beside it.
                if systemHasRefused { return }
                systemHasRefused = true
            }
            problems.append("\(error)")
        }
        var schema = SuiteSchema()
        do {
            schema = try schemaPlace?.read() ?? SuiteSchema()
        } catch {
            note(error)
        }
        do {
            guard let values = try values({ problems.append($0) }) else {
                throw CommandError("Domain \(name) does not exist (\(absence)).")
            }
            for (key, value) in [String: PropertyListValue](values).sorted(by: { $0.key < $1.key }) {
                do throws(InvalidValueError) {
                    try schema.validate(value, forKey: key)
                } catch {
                    note(error)
                }
            }
        } catch {
            note(error)
        }
        do throws(SettingsError) {
            let kept =
                try path.map { path throws(SettingsError) in try KeptValues.files(besideSuite: path) } ?? []
            if let newest = kept.last {
                let count = kept.count == 1 ? "a value" : "\(kept.count) values"
                problems.append(
                    "\(count) that no program could read, overwritten since: kept until deleted, the newest in "
                        + newest
                )
            }
        } catch {
            note(error)
        }
        return problems
    }
}

/// `schema`: what the programs of a domain have declared.
func printSchema(of domain: Domain) throws {
    let place = domain.schemaPlace
    let schema = try place?.read() ?? SuiteSchema()
    guard !schema.isEmpty else {
        throw CommandError(
            "No program has declared the settings of \(domain.name) (looked for \(place?.location ?? domain.location))."
        )
    }
    Output.text(String(decoding: schema.text, as: UTF8.self))
}
