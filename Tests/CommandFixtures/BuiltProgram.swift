package import Foundation

package enum BuiltProgram {
  package static var url: URL {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(
        "streaks")
  }

  package static func output(_ words: [String], environment: [String: String]) throws -> String {
    let process = Process()
    process.executableURL = url
    process.arguments = words
    process.environment = environment
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return String(decoding: bytes, as: UTF8.self)
  }

  struct Failure: Error {
    let status: Int32
  }
}
