import Benchmark
import Foundation
import PropertyList

/// Measures parsing a whole file and writing it.
func registerFormatBenchmarks(keys: Int) {
    registerJSONBenchmark(keys: keys)
    let formats: [(String, PropertyListFormat, PropertyListSerialization.PropertyListFormat)] = [
        ("XML", .xml, .xml), ("binary", .binary, .binary),
    ]
    for (name, format, foundationFormat) in formats {
        compare("read \(name), \(keys) keys", [.ours, .foundation], seconds: 3) { _ in
            let data = try Sample.file(keys: keys, foundationFormat)
            let bytes = Array(data)
            return [
                .ours { try time { blackHole(try PropertyListDocument.read(bytes)) } },
                .foundation {
                    try time {
                        blackHole(try PropertyListSerialization.propertyList(from: data, format: nil))
                    }
                },
            ]
        }
        compare("write \(name), \(keys) keys", [.ours, .foundation], seconds: 3) { _ in
            let changes = Sample.values(keys: keys).mapValues { Optional($0) }
            let foundationValues = Sample.foundationValues(keys: keys)
            return [
                .ours {
                    try time {
                        var document = PropertyListDocument(format: format)
                        try document.apply(changes)
                        blackHole(document.bytes)
                    }
                },
                .foundation {
                    try time {
                        blackHole(
                            try PropertyListSerialization.data(
                                fromPropertyList: foundationValues,
                                format: foundationFormat,
                                options: 0
                            )
                        )
                    }
                },
            ]
        }
    }
}

/// Measures parsing a JSON file. The bare contender is our XML file with the same values.
private func registerJSONBenchmark(keys: Int) {
    compare("read JSON, \(keys) keys", [.ours, .foundation, .bare], seconds: 3) { _ in
        let bytes = try Sample.jsonFile(keys: keys)
        let data = Data(bytes)
        let xml = Array(try Sample.file(keys: keys, .xml))
        return [
            .ours { try time { blackHole(try PropertyListDocument.read(bytes, expecting: .json)) } },
            .foundation { try time { blackHole(try JSONSerialization.jsonObject(with: data)) } },
            .bare { try time { blackHole(try PropertyListDocument.read(xml)) } },
        ]
    }
}
