import CommandLanguage
import Testing

@Suite("The sentences of macOS's defaults")
struct MacOSMessagesTests {
    /// Scripts compare these, so they never change.
    @Test(
        "A sentence that scripts compare stays as macOS prints it",
        arguments: [
            (MacOSMessage.suiteNotFound("app"), "Domain (app) not found.\nDefaults have not been changed."),
            (MacOSMessage.suiteDoesNotExist("app"), "Domain app does not exist"),
            (
                MacOSMessage.pairDoesNotExist("app", "key"),
                "The domain/default pair of (app, key) does not exist"
            ),
            (
                MacOSMessage.keyDoesNotExist("key", in: "app"),
                "Key key does not exist in domain app; leaving defaults unchanged."
            ),
            (
                MacOSMessage.cannotAppend(to: "key", notA: "array"),
                "Value for key key is not an array; cannot append. Leaving defaults unchanged."
            ),
            (
                MacOSMessage.cannotAppend(to: "key", notA: "dictionary"),
                "Value for key key is not a dictionary; cannot append. Leaving defaults unchanged."
            ),
            (
                MacOSMessage.notADictionary,
                "Rep argument is not a dictionary\nDefaults have not been changed."
            ),
            (
                MacOSMessage.unexpectedArgument("word"),
                "Unexpected argument “word”; leaving defaults unchanged."
            ),
            (MacOSMessage.lacksValue("key"), "Key “key” lacks a corresponding value."),
            (
                MacOSMessage.fileIsNotADictionary("/x"),
                "Property list /x was not a dictionary.\nDefaults have not been changed."
            ),
            (MacOSMessage.couldNotRead("/x"), "Could not read data from /x"),
            (MacOSMessage.couldNotParse("/x"), "Could not parse property list from /x"),
            (MacOSMessage.type("boolean"), "Type is boolean"),
            (MacOSMessage.found(2, in: "app"), "Found 2 keys in domain 'app': "),
            (MacOSMessage.nothingContains("word"), "No domain, key, nor value containing 'word'"),
        ]
    )
    func sentences(_ sentence: String, _ expected: String) { #expect(sentence == expected) }
}
