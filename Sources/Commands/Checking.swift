import CommandLanguage
import FoundationEssentials
import PropertyList
import SettingsEditor
import SettingsStore

/// `check`: whether domains can be read, hold what their programs have declared, and never held what
/// no program could read. Of what may be a fault and need not be it takes note only.
func check(_ line: CommandWords, in place: any SuitePlace) throws {
    let domains =
        line.words.isEmpty
        ? try line.allDomains(in: place.readAtOnce())
        : try line.words.map { try Domain($0, in: place) }
    let findings = domains.flatMap { domain in domain.findings.map { (domain: domain.name, finding: $0) } }
    let isWhole = findings.allSatisfy(\.finding.isNote)
    if line.has(.json) {
        Output.json(
            .array(
                findings.map { domain, finding in
                    ["domain": .string(domain), finding.isNote ? "note" : "problem": .string(finding.text)]
                }
            )
        )
    } else {
        for (domain, finding) in findings {
            Output.line("\(lineName(domain)): \(finding.isNote ? "note: " : "")\(finding.text)")
        }
        if isWhole {
            Output.line(domains.count == 1 ? "1 domain is whole" : "\(domains.count) domains are whole")
        }
    }
    if !isWhole { throw ExitCode(ExitStatus.failure) }
}

/// What `check` finds.
private struct Finding {
    let text: String
    /// It may be as it should be.
    var isNote = false
}

extension Domain {
    /// What is wrong with it, and what may be, in the order of its keys.
    fileprivate var findings: [Finding] {
        var problems: [String] = []
        var notes: [String] = []
        var systemHasRefused = false
        func note(_ error: any Error) {
            if case .system? = error as? SettingsError {
                // What keeps the system from one file keeps it from those beside it.
                if systemHasRefused { return }
                systemHasRefused = true
            }
            let text = "\(error)"
            // A domain that is named by its path stands before it already.
            problems.append(text.hasPrefix("\(name): ") ? String(text.dropFirst(name.count + 2)) : text)
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
                    let change = ValueChange(old: nil, new: value)
                    if let doubt = schema.declarations[key]?.doubt(about: change) {
                        notes.append("programs may not read “\(key)”: \(doubt)")
                    }
                } catch {
                    note(error)
                }
            }
            notes += try keysInSeveralForms()
        } catch {
            note(error)
        }
        do throws(SettingsError) {
            let kept = try keptValues()
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
        return problems.map { Finding(text: $0) } + notes.map { Finding(text: $0, isNote: true) }
    }
}

extension Domain {
    /// Which keys its file has in several Unicode forms, of which one is read: a sentence about each, without its full
    /// stop, that says what becomes of the others.
    func keysInSeveralForms() throws -> [String] {
        let (places, format) = try placesInSeveralForms()
        let sentences: [String] = places.compactMap { place in
            guard case .key(let key)? = place.steps.first else { return nil }
            let inside = ValuePath(Array(place.steps.dropFirst()))
            let isTop = inside.steps.isEmpty
            let loss =
                if format == .openStep {
                    "any change of the file leaves out the others"
                } else if isTop {
                    "to delete it deletes all of them"
                } else {
                    "a change of “\(key)” may leave out the others"
                }
            return (isTop ? "“\(key)”" : "“\(inside)” in “\(key)”")
                + " is there in several Unicode forms, one of which is read; \(loss): to keep them, rename them in "
                + "\(location) before"
        }
        return sentences.sorted()
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
