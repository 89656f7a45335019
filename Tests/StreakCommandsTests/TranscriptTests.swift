import CommandFixtures
import Foundation
import Testing

struct TranscriptTests {
  static let names = (try? Repository.names(in: "Tests/Fixtures/transcripts")) ?? []

  private let isRecording = ProcessInfo.processInfo.environment["RECORD"] != nil

  /// The screens at 80 columns are those of the sample ledger; `ScreenTests` has other widths and
  /// colors.
  @Test(arguments: names)
  func `each recorded transcript is what the program prints`(name: String) throws {
    let ledger = try TemporaryLedger()
    let isSample = name == "screens-80.txt"
    if isSample { ledger.now = "2025-11-20T21:00:00+01:00" }
    let events = isSample ? Repository.root + "/events" : ledger.events
    let path = "Tests/Fixtures/transcripts/\(name)"
    let transcript = Transcript(try Repository.text(path))
    #expect(!transcript.steps.isEmpty)
    var recorded = ""
    for (index, step) in transcript.steps.enumerated() {
      recorded += "$ \(step.command)\n"
      if step.command.hasPrefix("now ") {
        ledger.now = String(step.command.dropFirst(4))
        continue
      }
      let screen = Transcript.run(step.command, on: events, now: ledger.now, seed: index)
        .replacingOccurrences(of: ledger.events, with: "events")
      recorded += screen
      if !isRecording {
        #expect(
          Transcript.agree(screen, step.output),
          "\(name): \(step.command): \(Transcript.difference(screen, step.output))")
      }
    }
    if isRecording {
      try recorded.write(toFile: Repository.root + "/" + path, atomically: true, encoding: .utf8)
    }
  }

  @Test func `the session in docs first-week is what the program prints`() throws {
    let ledger = try TemporaryLedger()
    let transcript = Transcript(try Repository.text("docs/first-week.md"), fenced: true)
    #expect(transcript.steps.count == 3)
    for step in transcript.steps {
      let screen = ledger.run(String(step.command.dropFirst("streaks ".count))).screen
        .replacingOccurrences(of: ledger.events, with: "events")
      #expect(screen == step.output, "\(step.command)\n\(screen)")
    }
  }

  @Test(arguments: [
    "README.md", "docs/time-travel.md", "docs/recipes.md",
  ])
  func `the sessions in the README and the docs are what the program prints`(document: String)
    throws
  {
    // `ImportDocumentTests` runs the imports, on a ledger of their own.
    let text = try Repository.text(document).components(separatedBy: "\n## Imports\n")[0]
    let transcript = Transcript(text, fenced: true)
    #expect(!transcript.steps.isEmpty)
    for step in transcript.steps {
      let screen = Transcript.run(
        step.command, on: Repository.root + "/events", now: "2025-11-20T21:00:00+01:00", seed: 0)
      #expect(
        Transcript.agree(screen, step.output),
        "\(step.command): \(Transcript.difference(screen, step.output, recordable: false))")
    }
  }
}
