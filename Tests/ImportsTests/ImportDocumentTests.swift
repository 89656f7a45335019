import CommandFixtures
import Foundation
import Imports
import Testing

struct ImportDocumentTests {
  private static let fixtures = Repository.root + "/Tests/Fixtures/imports"

  @Test func `the import session in the recipes is what the program prints`() throws {
    let ledger = try TemporaryLedger()
    let files = try Repository.names(in: "Tests/Fixtures/imports")
    var text = try Repository.text("docs/recipes.md")
    let imports = text.components(separatedBy: "\n## Imports\n").last ?? ""
    let transcript = Transcript(imports, fenced: true)
    #expect(transcript.steps.count == 5)
    for step in transcript.steps {
      // The file is the third word, after `import` and its kind, because a kind may also be the
      // name of a folder.
      let words = TemporaryLedger.words(step.command).enumerated().dropFirst().map { place, word in
        place > 2 && files.contains(word) ? "\(Self.fixtures)/\(word)" : word
      }
      let screen = ledger.run(words).screen.replacing(Self.fixtures + "/", with: "")
        .replacing(ledger.events, with: "events")
      guard ProcessInfo.processInfo.environment["RECORD"] != nil else {
        #expect(Transcript.agree(screen, step.output), "\(step.command)\n\(screen)")
        continue
      }
      text = text.replacing(
        "$ \(step.command)\n\(step.output)", with: "$ \(step.command)\n\(screen)",
        maxReplacements: 1)
    }
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try text.write(
        toFile: Repository.root + "/docs/recipes.md", atomically: true, encoding: .utf8)
    }
  }
}
