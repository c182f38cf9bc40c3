import Testing

@testable import CommandLanguage

@Suite("The wording of the help")
struct HelpWordingTests {
    private static var effects: [String] {
        CommandName.shown.flatMap { $0.declaration.forms.map(\.effect) }
            + CommandOption.allCases.map(\.effect) + ValueType.allCases.map(\.effect)
    }

    private static var texts: [String] {
        effects + CommandName.shown.flatMap(\.declaration.notes)
            + [HelpText.abstract, HelpText.suiteMeaning, HelpText.literalMeaning]
            + ExitStatus.meanings.map(\.1)
    }

    @Test("No two lines of the help are equal")
    func different() {
        let effects = Self.effects
        #expect(Set(effects).count == effects.count)
    }

    @Test("A command or option is described by an imperative")
    func imperatives() {
        let effects = CommandName.shown.flatMap { $0.declaration.forms.map(\.effect) }
        for effect in effects + CommandOption.allCases.map(\.effect) {
            let verb = effect.prefix { $0 != " " }
            #expect(!verb.hasSuffix("s"), "\(effect)")
            #expect(!["The", "It", "What", "Only", "Values"].contains(verb), "\(effect)")
        }
    }

    @Test("No sentence has more than 25 words")
    func shortSentences() {
        for text in Self.texts {
            for sentence in text.split(separator: ". ") {
                let words = sentence.split(separator: " ").count
                #expect(words <= 25, "\(sentence)")
            }
        }
    }

    @Test("The help avoids the words that readers stumble over")
    func plainWords() {
        let avoided = [
            "domain is", "domains", "leave as it was", "turns round", "somebody", "nobody", "whoever",
            "is whole",
            "set aside", "behind", " lies", " stands", "where there is none", "of its own", "goes on",
        ]
        for text in Self.texts {
            for phrase in avoided where !(phrase == "domains" && text.contains("“domains”")) {
                #expect(!text.lowercased().contains(phrase), "\(phrase): \(text)")
            }
        }
    }
}
