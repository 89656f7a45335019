import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

@Suite(.enabled("there is no git") { GitSandbox.isThere })
struct GitConflictTests {
  private func machines() throws -> GitSandbox {
    let room = try GitSandbox()
    try room.clone("a")
    try room.must(
      "on a; at 0 init noalc meditation --writer main; commit begun; git push -qu origin HEAD")
    try room.clone("b")
    return room
  }

  private func commands(in message: String) -> String {
    message.split(separator: "`").map(String.init).filter { $0.hasPrefix("git show ") }.joined(
      separator: "\n")
  }

  private func expectAlike(_ room: GitSandbox, entries count: Int, _ comment: Comment) throws {
    let states = ["a", "b"].map { room.command("replay --json", on: $0) }
    #expect(states[0] == states[1], comment)
    let total = ["noalc", "meditation"].compactMap {
      Int(states[0]["habits.\($0).totals.entries"] ?? "")
    }
    #expect(total.reduce(0, +) == count, comment)
    #expect(try room.segments("a") == room.segments("b"), comment)
  }

  @Test(arguments: [false, true])
  func `the commands in the message about a git conflict keep the entries of both machines`(
    rebases: Bool
  ) throws {
    let room = try machines()
    for round in 1...3 {
      try room.must(
        """
        on a; at \(round)000 log meditation 5m --writer main; commit a; git push -q
        on b; at \(round)001 log noalc steady --writer main; commit b
        """)
      #expect(try room.run("on b; git pull -q --rebase=\(rebases)").status != 0)
      for line in ["show", "verify", "log noalc steady"] {
        let stopped = room.command(line, on: "b")
        #expect(
          stopped.screen.contains(
            "git left a conflict here because two machines wrote this segment"))
        #expect(stopped.status == (line == "verify" ? .failed : .badData))
      }
      let commands = commands(in: room.command("show", on: "b").errors)
      #expect(commands.split(separator: "\n").count == 2, "\(commands)")
      let done =
        rebases ? "GIT_EDITOR=true git rebase --continue > /dev/null" : "git commit -qm both"
      try room.must(
        """
        on b; cd events; \(commands); cd ..; git add events; \(done); git push -q; on a; git pull -q
        """)
      try expectAlike(room, entries: 2 * round, "round \(round)")
      #expect(try room.segments("a").count == 1 + round)
    }
  }

  @Test func `the script in docs recipes repairs a committed git conflict without losing an entry`()
    throws
  {
    let room = try machines()
    let block = try #require(
      try CodeBlock.all(in: "docs/recipes.md").first {
        $0.part == "A conflict" && $0.language == "sh"
      }
    )
    try room.must(
      """
      on a; at 600 log meditation 5m --writer main; commit a; git push -q
      on b; at 601 log noalc steady --writer main; commit b
      git pull -q --no-rebase || commit 'The conflict as it is'
      """)
    #expect(room.command("show", on: "b").status == .badData)
    try room.must(
      "on b; cd events; merge=$(git rev-parse HEAD)\n\(block.text)\ngit push -q; on a; git pull -q")
    #expect(room.command("show", on: "b").status == .done)
    try expectAlike(room, entries: 2, "mended")
  }

  @Test func `init makes git keep every byte of a segment and ignore temporary files`() throws {
    let room = try machines()
    try room.must(
      """
      on a; at 600 log noalc steady --writer main; at 1200 day --writer main; commit a; git push -q
      """
    )
    try room.must("git -c core.autocrlf=true clone -q streaks.git crlf")
    #expect(
      FileManager.default.contents(atPath: room.events("crlf") + "/main.jsonl")
        == FileManager.default.contents(atPath: room.events("a") + "/main.jsonl"))
    #expect(room.command("verify", on: "crlf").status == .done)
    try room.must("on a; touch events/main.torn-7 events/.batch")
    #expect(try room.must("on a; git status --porcelain").text == "")
  }
}
