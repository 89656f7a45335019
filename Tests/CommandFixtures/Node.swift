import Foundation

/// The program `node`, which runs the scripts of a page without a browser.
package enum Node {
  private static let path: String? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
    .split(separator: ":").map { "\($0)/node" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

  package static var isThere: Bool { path != nil }

  package static func lines(_ words: [String], input: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path ?? "")
    process.arguments = words
    let (given, output, errors) = (Pipe(), Pipe(), Pipe())
    process.standardInput = given
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // A script reads all its input before it prints, and an error is short, so the pipes cannot
    // block.
    try given.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try given.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    let says = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: String(decoding: says, as: UTF8.self))
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }
}
