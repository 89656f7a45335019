import CommandFixtures
import Foundation
import Testing

/// Tests/coverage.md lists the requirements of the five source documents and the tests for them.
struct CoverageTests {
  private struct Row {
    let section: String
    let number: String
    let cells: [String]

    var requirement: String { cells[1] }
    var isAbsent: Bool { cells[2].hasPrefix("*Not here:* ") }
    /// The names in backticks of the last column, unless it explains why there is no test.
    var tests: [String] {
      isAbsent
        ? []
        : cells[2].split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
  }

  private func rows() throws -> [Row] {
    var section = ""
    var rows: [Row] = []
    for line in try Repository.text("Tests/coverage.md").split(separator: "\n") {
      if line.hasPrefix("## ") { section = String(line.dropFirst(3)) }
      guard line.hasPrefix("| "), !line.hasPrefix("| # "), !line.hasPrefix("|--") else { continue }
      let cells = line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
      rows.append(Row(section: section, number: cells[0], cells: cells))
    }
    return rows
  }

  private func testNames() throws -> Set<String> {
    let root = Repository.root + "/Tests"
    var names: Set<String> = []
    for case let path as String in try #require(FileManager.default.enumerator(atPath: root))
    where path.hasSuffix(".swift") {
      for line in try Repository.text("Tests/\(path)").split(separator: "\n")
      where line.contains("func `") {
        let parts = line.split(separator: "`", omittingEmptySubsequences: false)
        names.insert(String(parts[1]))
      }
    }
    return names
  }

  @Test func `every test that the table names exists`() throws {
    let known = try testNames()
    #expect(known.contains("every test that the table names exists"))
    for row in try rows() {
      for test in row.tests {
        #expect(known.contains(test), "\(row.section), \(row.number): \(test)")
      }
    }
  }

  @Test func `every row names a requirement, and a test or the reason why there is none`() throws {
    let rows = try rows()
    #expect(rows.count > 170)
    for row in rows {
      #expect(row.cells.count == 3, "\(row.section), \(row.number)")
      guard row.cells.count == 3 else { continue }
      #expect(row.requirement.count > 5, "\(row.section), \(row.number)")
      #expect(
        !row.tests.isEmpty || row.isAbsent, "\(row.section), \(row.number): no test and no reason")
    }
  }

  @Test func `the five documents follow each other, their rows numbered without a gap`() throws {
    let rows = try rows()
    var sections: [String] = []
    for row in rows where !sections.contains(row.section) { sections.append(row.section) }
    #expect(sections.map { $0.prefix(3) } == ["000", "001", "002", "003", "004"])
    for section in sections {
      let numbers = rows.filter { $0.section == section }.map(\.number)
      #expect(numbers == (1...numbers.count).map { "\($0)" }, "\(section)")
    }
  }
}
