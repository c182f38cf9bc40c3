import Foundation

func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
}

func readlinkString(_ path: String) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: path)
}
