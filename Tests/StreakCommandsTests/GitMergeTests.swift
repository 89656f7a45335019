import Foundation
import StreakCommands
import TestSupport
import Testing

/// Two machines that write one segment, and a real git between them.
@Suite(.enabled("there is no git") { GitRoom.isThere })
struct GitMergeTests {
  /// Two clones, called a and b, of a ledger with the segment main.
  private func machines() throws -> GitRoom {
    let room = try GitRoom()
    try room.clone("a", begins: true)
    try room.clone("b")
    return room
  }

  /// The same ledger on a and b, with `count` entries and one finding, which is about the merge.
  private func expectAlike(_ room: GitRoom, entries count: Int, _ comment: Comment) throws {
    let states = ["a", "b"].map { room.command("replay --json", on: $0) }
    #expect(states[0] == states[1], comment)
    let total = (0...1).compactMap { Int(states[0]["habits.\($0).totals.entries"] ?? "") }.reduce(0, +)
    #expect(total == count, comment)
    #expect(try room.segments("a") == room.segments("b"), comment)
    for name in ["a", "b"] {
      let found = room.command("verify", on: name).text.split(separator: "\n")
      #expect(found.count == 1, "\(comment): \(found)")
      #expect(
        found.first?.contains("main.jsonl: identity: two machines wrote it") == true, "\(comment): \(found)")
      #expect(found.first?.contains("All numbers are right") == true)
    }
  }

  @Test func `one merges and the other takes that over, three times`() throws {
    let room = try machines()
    for round in 1...3 {
      try room.must(
        """
        on a; at \(round)000 log meditation 5m; commit a; git push -q
        on b; at \(round)001 log noalc steady; commit b; git pull -q; git push -q
        on a; git pull -q
        """)
      try expectAlike(room, entries: 2 * round, "round \(round)")
    }
    #expect(try room.segments("a").count == 4)
  }

  @Test func `each merges what the other went on with, three times`() throws {
    let room = try machines()
    for round in 1...3 {
      try room.must(
        """
        on a; at \(round)000 log meditation 5m; commit a1; git push -q
        on b; at \(round)001 log noalc steady; commit b1; git pull -q
        on a; at \(round)002 log meditation 6m; commit a2
        on b; git push -q
        on a; git pull -q; git push -q
        on b; at \(round)003 log noalc easy; commit b2; git pull -q; git push -q
        on a; git pull -q
        """)
      try expectAlike(room, entries: 4 * round, "round \(round)")
      // A file for each of the two, and the first has grown.
      #expect(try room.segments("a").count == 1 + 2 * round)
    }
  }

  @Test func `both merge the same two states crosswise, three times`() throws {
    let room = try machines()
    try room.must("on a; git remote add other ../b; on b; git remote add other ../a")
    for round in 1...3 {
      try room.must(
        """
        on a; at \(round)000 log meditation 5m; commit a
        on b; at \(round)001 log noalc steady; commit b; git fetch -q other
        on a; git fetch -q other; git merge -q other/main
        on b; git merge -q other/main
        on a; git fetch -q other; git merge -q other/main
        on b; git fetch -q other; git merge -q other/main
        """)
      try expectAlike(room, entries: 2 * round, "round \(round)")
    }
  }

  @Test func `a third machine's lines find a file of their own`() throws {
    let room = try machines()
    try room.must("on a; at 600 log meditation 5m; commit a1; git push -q")
    try room.clone("c")
    try room.must(
      """
      on a; at 610 log meditation 6m; commit a2; git push -q
      on b; at 611 log noalc steady; commit b; git pull -q; git push -q
      on c; at 612 log noalc easy; commit c; git fetch -q origin; git branch -q c2
      on b; git fetch -q ../c c2; git merge -q FETCH_HEAD; git push -q
      on a; git pull -q
      """)
    try expectAlike(room, entries: 4, "three machines")
    #expect(try room.segments("a").count == 3)
  }

  @Test func `where theirs has an older state of the new file, it is committed first and merged then`() throws
  {
    let room = try machines()
    try room.clone("c")
    try room.must(
      """
      on b; at 600 log noalc steady; commit b; git push -q
      on a; at 601 log meditation 5m; commit a; git pull -q; git push -q
      on b; at 602 log noalc easy; commit b; git pull -q; git push -q
      on c; at 603 log meditation 7m; commit c
      """)
    let stopped = try room.run("on c; git pull -q")
    #expect(stopped.status != 0)
    #expect(stopped.errors.contains("would be overwritten by merge"), "\(stopped.errors)")
    #expect(room.command("show", on: "c").status == .done)
    try room.must("on c; commit beside; git pull -q; git push -q; on a; git pull -q; on b; git pull -q")
    try expectAlike(room, entries: 4, "three machines")
    #expect(room.command("replay --json", on: "c") == room.command("replay --json", on: "a"))
  }

  @Test func `a rebase loses no line either`() throws {
    let room = try machines()
    try room.must(
      """
      on a; at 600 log meditation 5m; commit a; git push -q
      on b; at 601 log noalc steady; commit b1; at 602 log noalc easy; commit b2
      git pull -q --rebase; commit beside; git push -q
      on a; git pull -q
      """)
    try expectAlike(room, entries: 3, "rebased")
  }

  @Test func `what another writer saw of a segment is found in either half of it`() throws {
    let room = try machines()
    try room.must(
      """
      on a; at 600 log meditation 5m; at 601 log meditation 6m; at 1200 day --writer phone; commit a; git push -q
      on b; at 602 log noalc steady; commit b; git pull -q; git push -q
      on a; git pull -q
      """)
    for name in ["a", "b"] {
      #expect(
        try String(contentsOfFile: room.events(name) + "/phone.jsonl", encoding: .utf8).contains(
          "\"main\":[6,"))
      #expect(room.command("show", on: name).errors.isEmpty)
      #expect(room.command("log noalc steady --writer main", on: name).status == .done)
    }
  }

  @Test func `a conflict without the driver is named, and merging once more keeps both`() throws {
    let room = try machines()
    let blocks = try CodeBlock.all(in: "docs/sync.md").filter { $0.part == "Two machines wrote main.jsonl" }
    try room.must(
      """
      on a; at 600 log meditation 5m; commit a; git push -q
      on b; git config --unset merge.streaks.driver; at 601 log noalc steady; commit b
      """)
    #expect(try room.run("on b; git pull -q").status != 0)
    let stopped = room.command("show", on: "b")
    #expect(stopped.status == .badData)
    #expect(stopped.errors.contains("main.jsonl:4:1: git left a conflict here"), "\(stopped.errors)")
    #expect(stopped.errors.contains("`git config merge.streaks.driver 'streaks merge-file %O %A %B %P'`"))
    #expect(room.command("log noalc steady", on: "b").status == .badData)
    let driver = "git config merge.streaks.driver 'streaks merge-file %O %A %B %P'\n"
    try room.must("on b\n\(driver)\(blocks[0].text)git push -q; on a; git pull -q")
    try expectAlike(room, entries: 2, "merged once more")
  }

  @Test func `a conflict that was committed is mended from the parents of the merge`() throws {
    let room = try machines()
    let blocks = try CodeBlock.all(in: "docs/sync.md").filter { $0.part == "Two machines wrote main.jsonl" }
    try room.must(
      """
      on a; at 600 log meditation 5m; commit a; git push -q
      on b; git config --unset merge.streaks.driver; at 601 log noalc steady; commit b
      git pull -q || commit 'The conflict as it is'
      """)
    #expect(room.command("show", on: "b").status == .badData)
    try room.must("on b; merge=$(git rev-parse HEAD)\n\(blocks[1].text)git push -q; on a; git pull -q")
    #expect(room.command("show", on: "b").status == .done)
    #expect(room.command("replay --json", on: "a") == room.command("replay --json", on: "b"))
  }

  @Test func `what cannot be merged is a conflict for git, and the segment is as it was`() throws {
    let room = try machines()
    try room.must(
      """
      on a; at 600 log meditation 5m --id x; commit a; git push -q
      on b; at 601 log noalc steady --id x; commit b
      """)
    let before = FileManager.default.contents(atPath: room.events("b") + "/main.jsonl")
    let pulled = try room.run("on b; git pull -q")
    #expect(pulled.status == 1)
    #expect(
      pulled.errors.contains(
        "the id \"x\" is used for two events: line 5 of ours, line 5 of theirs"))
    #expect(FileManager.default.contents(atPath: room.events("b") + "/main.jsonl") == before)
    #expect(try room.segments("b") == ["main.jsonl"])
    #expect(try room.must("on b; git show :3:events/main.jsonl").text.contains("\"minutes\":5"))
  }

  @Test func `the lines that init writes keep every byte, whatever git does with line ends`() throws {
    let room = try machines()
    try room.must("on a; at 600 log noalc steady; at 1200 day; commit a; git push -q")
    try room.must("git -c core.autocrlf=true clone -q streaks.git crlf")
    #expect(
      FileManager.default.contents(atPath: room.events("crlf") + "/main.jsonl")
        == FileManager.default.contents(atPath: room.events("a") + "/main.jsonl"))
    #expect(room.command("verify", on: "crlf").status == .done)
    // Nothing of one machine alone is committed.
    try room.must("on a; touch events/main.torn-7 events/.batch")
    #expect(try room.must("on a; git status --porcelain").text == "")
  }
}
