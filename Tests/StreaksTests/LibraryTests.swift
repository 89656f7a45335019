import Foundation
import TestSupport
import Testing

/// docs/library.md: its program, compiled with the library that these tests were built with.
struct LibraryTests {
  /// The blocks of the page in a language, in order.
  private func blocks(_ language: String) throws -> [String] {
    try Repository.text("docs/library.md").components(separatedBy: "```").enumerated().compactMap {
      index, text in
      index % 2 == 1 && text.hasPrefix(language + "\n") ? String(text.dropFirst(language.count + 1)) : nil
    }
  }

  @Test func `the program of the page compiles, and prints what the page says`() throws {
    let ledger = try TemporaryLedger()
    let program = try #require(blocks("swift").last)
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 42)
    try program.write(toFile: ledger.folder + "/main.swift", atomically: true, encoding: .utf8)
    let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    var objects: [String] = []
    for library in ["Streaks", "Replay", "EventLog", "StreakDomain"] {
      let folder = products.appendingPathComponent("\(library).build").path
      objects += try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".o") }
        .map { "\(folder)/\($0)" }
    }
    // Sanitized objects want a sanitized program.
    let sanitizer = ProcessInfo.processInfo.environment["STREAKS_SANITIZER"].map { ["-sanitize=\($0)"] }
    let compiled = try run(
      "/usr/bin/env",
      ["swiftc", "-swift-version", "6", "-I", products.appendingPathComponent("Modules").path]
        + (sanitizer ?? []) + [ledger.folder + "/main.swift", "-o", ledger.folder + "/demo"] + objects)
    #expect(compiled.status == 0, "\(compiled.text)")
    let output = try run(ledger.folder + "/demo", [ledger.events])
    // The store makes the ids that the program does not give.
    let id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/
    #expect(try output.text.replacing(id, with: "ID") == blocks("text").first?.replacing(id, with: "ID"))
    #expect(output.status == 0)
  }

  private func run(_ program: String, _ words: [String]) throws -> (text: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: bytes, as: UTF8.self), process.terminationStatus)
  }
}
