import CommandFixtures
import Testing

struct PrintedHistoryTests {
  @Test(arguments: try PrintedHistory.all(in: "docs/domain.md"))
  func `a history printed in the docs is folded so`(history: PrintedHistory) throws {
    #expect(try history.found() == history.printed)
  }

  @Test func `no block with verdicts is of another notation`() throws {
    let blocks = try CodeBlock.all(in: "docs/domain.md").filter { $0.text.contains("verdict ") }
    #expect(blocks.count > 10)
    for block in blocks { #expect(block.language == "history") }
  }
}
