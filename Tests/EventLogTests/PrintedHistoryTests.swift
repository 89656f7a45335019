import CommandFixtures
import Testing

struct PrintedHistoryTests {
  @Test(arguments: try PrintedHistory.all(in: "docs/domain.md"))
  func `a history in the docs has the printed verdicts and runs`(history: PrintedHistory) throws {
    #expect(try history.found() == history.printed)
  }

  @Test func `every code block with verdicts in the docs is a tested history`() throws {
    let blocks = try CodeBlock.all(in: "docs/domain.md").filter { $0.text.contains("verdict ") }
    #expect(blocks.count > 10)
    for block in blocks { #expect(block.language == "history") }
  }
}
