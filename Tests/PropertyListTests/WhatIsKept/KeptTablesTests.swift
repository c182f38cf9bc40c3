import Foundation
import PropertyList
import Testing

/// The article with tables of preserved values and files. Each cell describes what really happens.
struct KeptArticle {
    let text: String

    init() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let path = package.appendingPathComponent("Sources/PropertyList/PropertyList.docc/WhatIsKept.md")
        text = try String(contentsOf: path, encoding: .utf8)
    }

    /// The cells of a table, without its header.
    func rows(ofTable title: String) -> [[String]] {
        guard let start = text.range(of: "## \(title)\n") else { return [] }
        let lines = text[start.upperBound...].split(separator: "\n")
        return lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2).map(Self.cells)
    }

    private static func cells(_ line: Substring) -> [String] {
        line.dropFirst().dropLast().replacing("\\|", with: "\u{1}").split(separator: "|")
            .map { $0.trimmingCharacters(in: .whitespaces).replacing("\u{1}", with: "|") }
    }

    static func line(_ cells: [String]) -> String {
        "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
}

@Suite(
    "The tables of the article on preserved values",
    .enabled(if: access("/usr/bin/plistutil", X_OK) == 0, "libplist-utils is not installed")
)
struct KeptTablesTests {
    let article: KeptArticle
    /// The programs that are installed in the version of the article. The cells of other programs are
    /// not compared.
    let asked: [OtherProgram]

    init() throws {
        let article = try KeptArticle()
        self.article = article
        asked = try OtherProgram.allCases.filter { article.text.contains(try $0.version) }
    }

    @Test("The article describes values that a program sets")
    func articleDescribesValuesThatAProgramSets() throws {
        var rows = KeptValues.rows.map { [$0.name] }
        for format in [PropertyListFormat.xml, .binary] {
            let files = KeptValues.rows.map { row in
                Result { () throws in
                    try PropertyListValue.dictionary(["value": row.value]).encoded(as: format)
                }
            }
            for (index, file) in files.enumerated() {
                rows[index].append(outcome(of: file, KeptValues.rows[index].value))
            }
            let written = files.indices.filter { (try? files[$0].get()) != nil }
            let others = try OtherProgram.allCases.map { program in
                try (program, program.values(of: written.map { try files[$0].get() }, writtenAs: format))
            }
            for (place, index) in written.enumerated() {
                let ours = try PropertyListValue.read(files[index].get()).value
                rows[index].append(comparison(ours, others.map { ($0.0, $0.1[place]) }))
            }
            for index in rows.indices where !written.contains(index) { rows[index].append("–") }
        }
        compare(rows, KeptValues.table)
    }

    @Test("The article describes files of other programs", arguments: KeptFile.tables.indices)
    func articleDescribesFilesOfOtherPrograms(_ table: Int) throws {
        let (title, files) = KeptFile.tables[table]
        let programs = title.contains("OpenStep") ? [OtherProgram.foundation] : OtherProgram.allCases
        let others = try programs.map { program in
            let askable = files.map { program == .foundation && !$0.asksFoundation ? [] : $0.bytes }
            return try (program, program.values(of: askable, writtenAs: .binary))
        }
        let rows = files.enumerated().map { index, file in
            let answers = others.filter { $0.0 != .foundation || file.asksFoundation }.map {
                ($0.0, $0.1[index])
            }
            let values = try? PropertyListDocument.read(file.bytes).values
            let whole = values.map { PropertyListValue.dictionary([String: PropertyListValue]($0)) }
            let notAsked = file.asksFoundation ? "" : "; Foundation not tried"
            return [file.name, outcome(of: file), fate(of: file), comparison(whole, answers) + notAsked]
        }
        compare(rows, title)
    }

    /// Compares each row of the article with the case of the same name, and the other way round.
    private func compare(_ rows: [[String]], _ title: String) {
        let documented = article.rows(ofTable: title)
        #expect(documented.map { $0[0] } == rows.map { $0[0] }, "the rows of “\(title)” and the cases differ")
        let asksAll = asked.count == OtherProgram.allCases.count
        let known = Dictionary(documented.map { ($0[0], $0) }) { first, _ in first }
        for row in rows {
            let told = known[row[0]] ?? []
            // The last column, and the third one of the table of values, describe other programs.
            let compared = row.indices.filter {
                asksAll || !($0 == row.count - 1 || row.count == 5 && $0 == 2)
            }
            let isSame = told.count == row.count && compared.allSatisfy { told[$0] == row[$0] }
            #expect(isSame, "to be documented in “\(title)”:\n\(KeptArticle.line(row))")
        }
    }
}

// MARK: - Cells

extension KeptTablesTests {
    /// Describes the result of writing and reading a value.
    private func outcome(of file: Result<[UInt8], any Error>, _ value: PropertyListValue) -> String {
        do {
            let read = try PropertyListValue.read(file.get()).value
            return read == ["value": value] ? "preserved" : "becomes \(spelling(of: read))"
        } catch {
            return refusal(error)
        }
    }

    private func outcome(of file: KeptFile) -> String {
        do {
            let values = try PropertyListDocument.read(file.bytes).values
            return spelling(of: .dictionary([String: PropertyListValue](values)))
        } catch {
            return refusal(error)
        }
    }

    /// Describes what happens to the file when another key is set.
    private func fate(of file: KeptFile) -> String {
        guard var (document, values) = try? PropertyListDocument.read(file.bytes) else { return "–" }
        do {
            try document.apply(["another": 1])
            values["another"] = 1
            guard try PropertyListDocument.read(document.bytes).values == values else { return "lost" }
        } catch {
            return refusal(error)
        }
        let format = document.format == .xml ? "XML" : "binary"
        if !file.part.isEmpty, contains(document.bytes, file.part) { return "bytes unchanged" }
        return "rewritten as \(format)"
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(part)) != nil
    }

    /// Describes the results of other programs. Nil means that the file is refused here.
    private func comparison(
        _ ours: PropertyListValue?,
        _ answers: [(OtherProgram, PropertyListValue?)]
    ) -> String {
        let differing = answers.filter { $0.1 != ours }
        if differing.isEmpty { return "the same" }
        return differing.map { "\($0.0.rawValue): \($0.1.map(spelling) ?? "refused")" }.joined(
            separator: "; "
        )
    }

    private func refusal(_ error: any Error) -> String {
        guard let error = error as? PropertyListError else { return "\(error)" }
        let place =
            switch error.place {
            case .line: "line and column"
            case .offset: "byte"
            case .path: "key"
            }
        return "refused (\(place)): `\(error.problem)`"
    }

    /// The value of the key `value` if it is the only one, or the whole dictionary.
    private func spelling(of value: PropertyListValue) -> String {
        var text = literal(value)
        if case .dictionary(let entries) = value, entries.count == 1, let only = entries["value"] {
            text = literal(only)
        }
        return text.count > 60 ? "`\(text.prefix(24))…`" : "`\(text)`"
    }

    private func literal(_ value: PropertyListValue) -> String {
        switch value {
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .real(let value): value.isNaN ? "NaN" : "\(value)"
        case .string(let value): "\"\(escaped(value))\""
        case .date(let date): value.editText ?? "\(date.timeIntervalSinceReferenceDate) s"
        case .data(let data):
            data.count > 16
                ? "\(data.count) bytes"
                : "<\(data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())>"
        case .array(let elements): "[\(elements.map(literal).joined(separator: ", "))]"
        case .dictionary(let entries):
            "{\(entries.sorted { $0.key < $1.key }.map { "\"\(escaped($0.key))\": \(literal($0.value))" }.joined(separator: ", "))}"
        case .uid(let value): "UID \(value)"
        case .null, .number: value.editText ?? ""
        }
    }

    /// Replaces everything but printable ASCII by its code.
    private func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            0x20..<0x7F ~= scalar.value && scalar != "`"
                ? String(scalar) : "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }.joined()
    }
}
