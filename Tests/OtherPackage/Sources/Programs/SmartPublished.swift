import Foundation
import PDefaults

// The examples of “SwiftUI & Combine Feedback #2”, where the wrapper is called SmartPublished, and
// UserDefaultsBacked before that. `sendAfterStore` is a behaviour here.

let smartPublished = [
    Program("SmartPublished: stored values", prints: "8 nil Yup\n9 3 bytes Nope") {
        struct SomeStruct: Codable {
            var prop = "Yup"
        }

        @PDefaults("int-key")
        var someInt = 8

        @PDefaults("my-data", suite: dataSuite)
        var someData: Data? = nil

        @PDefaults("my-struct")
        var myStruct = SomeStruct()

        print(someInt, someData.map { "\($0)" } ?? "nil", myStruct.prop)
        someInt += 1
        someData = Data([1, 2, 3])
        myStruct.prop = "Nope"
        print(someInt, someData.map { "\($0)" } ?? "nil", myStruct.prop)
    },
    Program(
        "SmartPublished: sent after it is set, without a key",
        prints: "property: 8, received: 8\nproperty: 1, received: 1"
    ) {
        @PDefaults(behavior: .didSet)
        var myProp = 8

        let cancellable = $myProp.sink {
            print("property: \(myProp), received: \($0)")
        }

        myProp = 1
        cancellable.cancel()
    },
    Program(
        "SmartPublished: sent before it is set, without a key",
        prints: "property: 8, received: 8\nproperty: 8, received: 1"
    ) {
        @PDefaults(behavior: .willSet)
        var myProp = 8

        let cancellable = $myProp.sink {
            print("property: \(myProp), received: \($0)")
        }

        myProp = 1
        cancellable.cancel()
    },
    Program("SmartPublished: nothing is stored until it is set", prints: "Bonjoir !\nnil\nSalut !") {
        @PDefaults("someKey")
        var myProp = "Bonjoir !"

        print(myProp)
        print(SettingsSuite.standard.storedValue(forKey: "someKey").map { "\($0)" } ?? "nil")
        myProp = "Salut !"
        print(SettingsSuite.standard.string(forKey: "someKey") ?? "nil")
    },
    Program("SmartPublished: neither a key nor an argument", prints: "1\n2") {
        @PDefaults
        var counter = 1

        let cancellable = $counter.sink { print($0) }
        counter += 1
        cancellable.cancel()
    },
    Program("SmartPublished: a stored enumeration, published once it is set", prints: "off off\non on") {
        enum Mode: String, Codable { case on, off }

        @PDefaults("mode", behavior: .didSet)
        var mode = Mode.off

        let cancellable = $mode.sink { print($0, mode) }
        mode = .on
        cancellable.cancel()
    },
]

private let dataSuite = SettingsSuite(file: SettingsFolder.standard.path + "/DBName.plist")
