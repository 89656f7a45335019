import CommandFixtures
import Foundation
import StreakCommands
import Testing

/// Scenes of Tests/Fixtures/scenes: commands, and the part of their output that matters.
///
/// A scene begins with `# ` and its title. It has a ledger of its own, which `streaks init` made
/// unless the scene does; scenes of sample.txt read the sample ledger. `$ now DAY` sets the clock
/// to noon UTC. Below a command, `> ` is followed by what its screen contains, and `! ` by what it
/// doesn't contain. A command succeeds, or ends with `[exit N]` and writes nothing.
struct SceneTests {
  struct Scene: Sendable, CustomTestStringConvertible {
    let file: String
    let title: String
    let steps: [Transcript.Step]

    var testDescription: String { "\(file): \(title)" }
  }

  static let scenes = ((try? Repository.names(in: "Tests/Fixtures/scenes")) ?? []).flatMap { file in
    let text = (try? Repository.text("Tests/Fixtures/scenes/\(file)")) ?? ""
    return ("\n" + text).components(separatedBy: "\n# ").dropFirst().map { scene in
      let title = scene.prefix { $0 != "\n" }
      return Scene(file: file, title: String(title), steps: Transcript(scene).steps)
    }
  }

  @Test func `every file of scenes contains scenes`() throws {
    let files = try Repository.names(in: "Tests/Fixtures/scenes")
    #expect(files.count > 10 && Set(files) == Set(SceneTests.scenes.map(\.file)))
  }

  @Test(arguments: scenes)
  func `the commands of a scene print what the scene expects`(scene: Scene) throws {
    let ledger = try TemporaryLedger()
    try #require(!scene.steps.isEmpty)
    let isSample = scene.file == "sample.txt"
    if isSample { ledger.now = "2025-11-20T21:00:00+01:00" }
    var isBegun = isSample
    for (number, step) in scene.steps.enumerated() {
      if step.command.hasPrefix("now ") {
        let time = String(step.command.dropFirst(4))
        ledger.now = time.contains("T") ? time : time + "T12:00:00Z"
        continue
      }
      if !isBegun, !step.command.hasPrefix("streaks init") { try ledger.run(all: "init") }
      isBegun = true
      try check(
        step, number, on: ledger, at: isSample ? Repository.root + "/events" : ledger.events)
    }
  }

  private func check(
    _ step: Transcript.Step, _ number: Int, on ledger: TemporaryLedger, at events: String
  )
    throws
  {
    func named(_ text: some StringProtocol) -> String {
      text.replacingOccurrences(of: "EVENTS", with: ledger.events)
    }
    let before = try written(in: events)
    let screen = Transcript.run(
      named(step.command), on: events, now: ledger.now, seed: 1000 + number)
    let lines = step.output.split(separator: "\n")
    let exit = lines.first { $0.hasPrefix("[exit ") }
    let status = screen.split(separator: "\n").last { $0.hasPrefix("[exit ") }
    #expect(status == exit, "\(step.command)\n\(screen)")
    if exit != nil { #expect(try written(in: events) == before, "\(step.command) wrote") }
    for line in lines where line != exit {
      let text = named(line.dropFirst(2))
      switch line.prefix(2) {
      case "> ": #expect(screen.contains(text), "\(step.command)\n\(screen)")
      case "! ": #expect(!screen.contains(text), "\(step.command)\n\(screen)")
      default: Issue.record("a line begins with > or !: \(line)")
      }
    }
  }

  /// Returns the contents of the files in `events` by name, without the lock; empty if there is no
  /// such folder.
  private func written(in events: String) throws -> [String: Data] {
    guard FileManager.default.fileExists(atPath: events) else { return [:] }
    let names = try FileManager.default.contentsOfDirectory(atPath: events).filter { $0 != ".lock" }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try Data(contentsOf: URL(fileURLWithPath: "\(events)/\($0)")))
      })
  }
}
