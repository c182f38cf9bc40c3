/// Binary files are mostly numbers that must fit each other, and random changes break that. So an
/// input that is no such file is put into a frame that fits. Its first byte is the size
/// of references (low four bits) and the top object. Its second byte is the number of objects. After
/// that come the offsets of the objects, one byte each, and then the objects.
enum BinaryInput {
    static func file(_ input: [UInt8]) -> [UInt8] {
        guard !input.starts(with: Array("bplist".utf8)), input.count > 3 else { return input }
        let referenceSize = input[0] & 0x0F
        let count = min(1 + Int(input[1]), input.count - 3)
        let objects = input[(2 + count)...].prefix(240)
        var file = Array("bplist00".utf8) + objects
        let tableStart = file.count
        for place in input[2..<2 + count] { file.append(UInt8(8 + Int(place) % objects.count)) }
        file += [0, 0, 0, 0, 0, 0, 1, referenceSize]
        file += number(count) + number(Int(input[0] >> 4) % count) + number(tableStart)
        return file
    }

    private static func number(_ number: Int) -> [UInt8] {
        (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
