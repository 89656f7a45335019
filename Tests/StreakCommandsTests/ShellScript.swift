import CommandFixtures
import Foundation

/// A script for `/bin/sh`, with the built `streaks` first in its path and no ledger set.
struct ShellScript {
  let text: String
  let folder: String
  var environment: [String: String] = [:]
  var input = ""

  struct Result {
    let text: String
    let errors: String
    let status: Int32
  }

  func run() throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", text]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    var variables = ProcessInfo.processInfo.environment
    for name in ["STREAKS_EVENTS", "STREAKS_WRITER", "GIT_DIR"] { variables[name] = nil }
    variables["PATH"] =
      BuiltProgram.url.deletingLastPathComponent().path + ":"
      + (variables["PATH"] ?? "/usr/bin:/bin")
    process.environment = variables.merging(environment) { _, own in own }
    // Input and errors are files, so no pipe can block or break.
    let given = URL(fileURLWithPath: folder + "/given-\(UUID().uuidString)")
    let said = URL(fileURLWithPath: folder + "/said-\(UUID().uuidString)")
    try Data(input.utf8).write(to: given)
    try Data().write(to: said)
    defer { for file in [given, said] { try? FileManager.default.removeItem(at: file) } }
    let output = Pipe()
    process.standardInput = try FileHandle(forReadingFrom: given)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: said)
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Result(
      text: String(decoding: bytes, as: UTF8.self),
      errors: try String(contentsOf: said, encoding: .utf8), status: process.terminationStatus)
  }

  static func succeeds(_ command: String) -> Bool {
    let folder = FileManager.default.temporaryDirectory.path
    return (try? ShellScript(text: command, folder: folder).run().status) == 0
  }
}
