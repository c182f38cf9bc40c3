import PropertyList
import SettingsStore
import Testing

@testable import SettingsEditor

@Suite("The layers of a suite's values")
struct LayeredValuesTests {
    @Test("A staged value hides the stored one, which returns when the change is dropped")
    func staged() {
        var layers = LayeredValues()
        layers.setStaged(ValueChange(old: 1, new: 2), "k")
        #expect(layers.value(forKey: "k", row: 1) == 2)
        #expect(layers.storedValue(forKey: "k", row: 1) == 1)
        #expect(layers.ownKeys == ["k"])
        layers.setStaged(nil, "k")
        #expect(layers.value(forKey: "k", row: 1) == 1)
        #expect(layers.ownKeys.isEmpty)
    }

    @Test("A write in flight hides the stored value, until another process changes the key")
    func overtaken() {
        var layers = LayeredValues()
        let change = ["k": ValueChange(old: 1, new: 2)]
        let write = Write(id: WriteID(number: 1), suite: "s", changes: change, whole: nil)
        let transaction = Transaction(number: 1, parts: [Transaction.Part(suite: "s", changes: change)])
        layers.begin(InFlight(write: write, purpose: .edit(nil), transaction: transaction, rest: []))
        #expect(layers.value(forKey: "k", row: 1) == 2)
        #expect(layers.isInFlight("k"))
        layers.takeOver(Change(key: "k", old: 1, new: 3, origin: .otherProcess, sequence: 1))
        layers.setStored(3, "k")
        #expect(layers.value(forKey: "k", row: 1) == 3)
        #expect(layers.ownKeys.isEmpty)
        let unknown = layers.take(WriteID(number: 2))
        let known = layers.take(WriteID(number: 1))
        #expect(unknown == nil)
        #expect(known?.write.suite == "s")
        #expect(layers.inFlight.isEmpty)
    }

    @Test("The stored value is kept only while the row shows another value")
    func beneath() {
        var layers = LayeredValues()
        layers.keepStored(1, "k", below: 2)
        #expect(layers.storedValue(forKey: "k", row: 2) == 1)
        layers.keepStored(2, "k", below: 2)
        #expect(layers.storedValue(forKey: "k", row: 5) == 5)
    }

    @Test("A change of the user is no foreign change")
    func ownOverForeign() {
        var layers = LayeredValues()
        layers.takeOver(Change(key: "k", old: 1, new: 2, origin: .otherProcess, sequence: 1))
        #expect(layers.changedByOthers["k"] == .some(1))
        let changes = ["k": ValueChange(old: 2, new: 5)]
        let write = Write(id: WriteID(number: 1), suite: "s", changes: changes, whole: nil)
        let transaction = Transaction(number: 1, parts: [])
        layers.begin(InFlight(write: write, purpose: .edit(nil), transaction: transaction, rest: []))
        #expect(layers.changedByOthers["k"] == .some(5))
    }
}
