import CommandFixtures
import Foundation
import StreakCommands
import Testing

/// The code of docs/library.md and the library's articles compiles against these tests' build.
struct LibraryTests {
  private let ledger: TemporaryLedger
  private let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()

  init() throws {
    ledger = try TemporaryLedger()
  }

  private func blocks(_ language: String, of page: String = "docs/library.md") throws -> [String] {
    try CodeBlock.all(in: page).filter { $0.language == language }.map(\.text)
  }

  @Test
  func `the example program in the library docs compiles and prints the documented output`() throws
  {
    let program = try blocks("swift")[1]
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 42)
    let demo = try compile(program, as: "demo")
    let output = try run(demo, [ledger.events])
    // The ids that the store creates vary.
    let id = /…[0-9a-f]{6}/
    let says = try #require(blocks("text").first)
    #expect(output.text.replacing(id, with: "ID") == says.replacing(id, with: "ID"))
    #expect(output.status == 0)
  }

  @Test(.timeLimit(.minutes(10)))
  func `the example menu in the library docs is drawn again after each entry`()
    throws
  {
    let program = try blocks("swift")[2]
    // New projects of Xcode isolate everything to the main actor.
    _ = try compile(program, as: "isolated-menu", ["-default-isolation", "MainActor"])
    let menu = try compile(program, as: "menu")
    ledger.now = ISO8601DateFormatter().string(from: Date())
    try ledger.run(all: "init gym")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: menu)
    process.arguments = [ledger.events]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    func wait(for text: String) throws {
      var drawn = ""
      while !drawn.contains(text) {
        let data = output.fileHandleForReading.availableData
        try #require(!data.isEmpty, "\(drawn)")
        drawn += String(decoding: data, as: UTF8.self)
      }
    }
    try wait(for: "0 days")
    try ledger.run(all: "log gym")
    try wait(for: "1 day ")
  }

  @Test func `every Swift example in the articles, the README and the comments compiles`() throws {
    let folder = "Sources/Streaks/Streaks.docc"
    let articles = try FileManager.default.contentsOfDirectory(
      atPath: "\(Repository.root)/\(folder)"
    )
    .sorted().map { "\(folder)/\($0)" }
    var files: [String] = []
    let library = "docs/library.md"
    for article in articles + ["README.md", library] {
      var blocks = try blocks("swift", of: article)
      if blocks.isEmpty { continue }
      if article == library {
        // The first blocks are the package manifest and two programs; the others continue each
        // other.
        let given =
          "import Foundation\nimport Streaks\nimport StreaksImports\nimport StreaksTesting\n"
        blocks =
          [given + "let folder = StreakFolder(URL(filePath: \"events\"))\n"] + blocks.dropFirst(3)
      }
      let lines = blocks.joined().split(separator: "\n", omittingEmptySubsequences: false)
      let imports = lines.filter { $0.hasPrefix("import ") }
      let body = lines.filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
      let name = article.split(separator: "/").last?.prefix { $0 != "." } ?? ""
      // Tests are functions already; all other code runs in order in one function.
      let text = body.contains("@Test") ? body : "func article\(name)() async throws {\n\(body)\n}"
      let file = "\(ledger.folder)/\(name).swift"
      try (imports.joined(separator: "\n") + "\n" + text).write(
        toFile: file, atomically: true, encoding: .utf8)
      files.append(file)
    }
    #expect(files.count == 6)
    files.append("\(ledger.folder)/Comments.swift")
    try comments().write(toFile: files[6], atomically: true, encoding: .utf8)
    // Code that type-checks may still be rejected or crash the compiler later.
    let object = ["-c", "-wmo", "-module-name", "articles", "-o", "\(ledger.folder)/articles.o"]
    let checked = try run("/usr/bin/env", ["swiftc", "-parse-as-library"] + object + flags + files)
    #expect(checked.status == 0, "\(checked.text)")
  }

  /// Returns the examples in the library's comments, each in a function that declares what it uses.
  private func comments() throws -> String {
    var examples: [String] = []
    for folder in ["StreakDomain", "Streaks", "StreaksImports", "StreaksTesting"].map({
      "Sources/\($0)"
    }) {
      let names = try FileManager.default.subpathsOfDirectory(
        atPath: "\(Repository.root)/\(folder)"
      ).sorted()
      for file in names where file.hasSuffix(".swift") {
        let text = try Repository.text("\(folder)/\(file)")
        guard text.contains("\npublic ") else { continue }
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        for begin in lines.indices where lines[begin] == "/// ```swift" {
          let example = lines[(begin + 1)...].prefix { $0 != "/// ```" }.map { $0.dropFirst(4) }
          // SwiftUI isn't available on every platform.
          if example.contains(where: { $0.hasSuffix(": View {") }) { continue }
          examples.append(example.joined(separator: "\n"))
        }
      }
    }
    #expect(examples.count > 20)
    let given = """
      import Foundation
      import Streaks
      import StreaksImports
      import StreaksTesting
      import Testing

      private func show(_: Any) {}

      """
    return given
      + examples.enumerated().map { place, example in
        """
        private func example\(place)(
          _ folder: StreakFolder, _ given: StreakLedger, _ store: StreakDataStore, _ data: StreakData,
          _ defaults: UserDefaults, _ month: ClosedRange<Day>
        ) async throws {
          var ledger = given
          ledger = given
          do {
        \(example)
          }
        }

        """
      }.joined()
  }

  private var flags: [String] {
    ["-swift-version", "6", "-I", products.appendingPathComponent("Modules").path]
  }

  private func compile(
    _ program: String, as name: String, _ options: [String] = []
  ) throws -> String {
    let folder = "\(ledger.folder)/\(name)-source"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try program.write(toFile: folder + "/main.swift", atomically: true, encoding: .utf8)
    var objects: [String] = []
    for library in ["Streaks", "Inspection", "EventLog", "StreakDomain"] {
      let folder = products.appendingPathComponent("\(library).build").path
      // Objects of deleted sources would define symbols twice.
      let sources = FileManager.default.enumerator(atPath: "\(Repository.root)/Sources/\(library)")
      let names = Set(
        (sources?.compactMap { ($0 as? String)?.split(separator: "/").last } ?? []).map {
          "\($0).o"
        })
      objects += try FileManager.default.contentsOfDirectory(atPath: folder)
        .filter {
          $0.hasSuffix(".o")
            && (!$0.hasSuffix(".swift.o") || names.contains($0) || $0.hasPrefix("embedded"))
        }
        .map { "\(folder)/\($0)" }
    }
    // Sanitized objects must be linked into a sanitized program.
    let sanitizer = ProcessInfo.processInfo.environment["STREAKS_SANITIZER"].map {
      ["-sanitize=\($0)"]
    }
    let compiled = try run(
      "/usr/bin/env",
      ["swiftc"] + flags + options + (sanitizer ?? []) + [
        folder + "/main.swift", "-o", "\(ledger.folder)/\(name)",
      ]
        + objects)
    #expect(compiled.status == 0, "\(compiled.text)")
    return "\(ledger.folder)/\(name)"
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
