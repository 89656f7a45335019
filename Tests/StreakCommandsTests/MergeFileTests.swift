import EventLog
import Foundation
import StreakCommands
import TestSupport
import Testing

/// `streaks merge-file` on files, as git hands them over.
struct MergeFileTests {
  /// A ledger whose segment main has two sides; they begin with the same lines.
  private final class Sides {
    let ledger: TemporaryLedger
    let base: String
    private(set) var ours = ""
    private(set) var theirs = ""

    init() throws {
      ledger = try TemporaryLedger()
      try ledger.run(all: "init noalc meditation --id o\nlog noalc steady --id p")
      base = String(decoding: ledger.bytes(), as: UTF8.self)
      (ours, theirs) = (base, base)
    }

    /// The base with an entry for each id, recorded a minute apart.
    func lines(_ ids: [String], minutes: Int = 5, from minute: Int = 0) -> String {
      base
        + ids.enumerated().map { place, id in
          """
          {"id":"\(id)","type":"entry.logged","at":"2025-11-03T13:00:00+01:00",\
          "recorded":"2025-11-03T12:\(10 + minute + place):00.000000Z","day":"2025-11-03",\
          "zone":"Europe/Berlin","habit":"meditation","minutes":\(minutes)}

          """
        }.joined()
    }

    /// Runs the driver; afterwards `ours` is what it left there.
    func merge(_ ours: String, _ theirs: String, base: String? = nil) throws -> Output {
      for (name, text) in [("o", base ?? self.base), ("a", ours), ("b", theirs)] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(ledger.folder)/\(name)"))
      }
      try ledger.write([UInt8](ours.utf8), to: "main.jsonl")
      let files = ["o", "a", "b"].map { "\(ledger.folder)/\($0)" }
      let output = ledger.run(["merge-file"] + files + ["\(ledger.events)/main.jsonl"])
      self.ours = try String(contentsOfFile: files[1], encoding: .utf8)
      return output
    }

    var beside: [String] { ledger.files().filter { $0.hasPrefix("main-") } }

    func text(_ file: String) -> String {
      String(decoding: ledger.bytes(of: String(file.dropLast(6))), as: UTF8.self)
    }
  }

  private static func name(_ line: Substring) -> String {
    var digest = SHA256()
    digest.update([UInt8]((line + "\n").utf8))
    return "main-\(digest.digest().prefix(8)).jsonl"
  }

  @Test func `ours stays byte for byte, and theirs is a segment named after its first line of its own`()
    throws
  {
    let sides = try Sides()
    let (ours, theirs) = (sides.lines(["a1", "a2"]), sides.lines(["b1", "b2"], from: 20))
    let merged = try sides.merge(ours, theirs)
    #expect(merged.status == .done)
    #expect(sides.ours == ours)
    let name = MergeFileTests.name(theirs.dropFirst(sides.base.count).split(separator: "\n")[0])
    #expect(sides.beside == [name])
    #expect(sides.text(name) == theirs)
    #expect(merged.text.isEmpty)
    #expect(
      merged.errors
        == "streaks: two machines wrote \(sides.ledger.events)/main.jsonl; ours stays, and theirs is "
        + "\(sides.ledger.events)/\(name) now. git does not add that file, which may be the only copy of its lines: "
        + "`git add \(sides.ledger.events)/\(name)` and commit it before you push\n")
    #expect(sides.ledger.run("show --json")["habits.meditation.totals.minutes"] == "20")
    let found = sides.ledger.run("verify")
    #expect(
      found.text
        == "\(sides.ledger.events)/main.jsonl: identity: two machines wrote it, and a git merge kept both, the other in "
        + "\(name); 4 events of both count once. All numbers are right, and there is nothing to do\n")
  }

  @Test func `the longer one is taken where one goes on from the other`() throws {
    let sides = try Sides()
    for (one, other) in [
      ([], ["b1"]), (["b1"], []), (["b1"], ["b1", "b2"]), (["b1", "b2"], ["b1"]), (["b1"], ["b1"]),
    ] {
      let (ours, theirs) = (sides.lines(one), sides.lines(other))
      let merged = try sides.merge(ours, theirs)
      #expect(merged.status == .done && merged.errors.isEmpty, "\(one) \(other) \(merged.errors)")
      #expect(sides.ours == (one.count < other.count ? theirs : ours))
      #expect(sides.beside.isEmpty)
    }
    // A power failure took the last newline, or the end of the last line; neither makes a difference of its own.
    let whole = sides.lines(["b1", "b2"])
    for cut in [1, 40] {
      #expect(try sides.merge(String(whole.dropLast(cut)), whole).status == .done)
      #expect(sides.ours == whole)
      #expect(try sides.merge(whole, String(whole.dropLast(cut))).status == .done)
      #expect(sides.ours == whole && sides.beside.isEmpty)
    }
  }

  @Test func `what theirs goes on with makes the same file longer`() throws {
    let sides = try Sides()
    let ours = sides.lines(["a1"])
    for ids in [["b1"], ["b1", "b2"], ["b1"], ["b1", "b2", "b3"]] {
      #expect(try sides.merge(ours, sides.lines(ids, from: 20)).status == .done)
      #expect(sides.beside.count == 1)
    }
    #expect(sides.text(sides.beside[0]) == sides.lines(["b1", "b2", "b3"], from: 20))
    // Another machine, which had the first of these lines when it went on by itself.
    let third = sides.lines(["b1"], from: 20) + sides.lines(["c1"], from: 30).dropFirst(sides.base.count)
    #expect(try sides.merge(ours, third).status == .done)
    #expect(sides.beside.count == 2)
    #expect(sides.beside.contains { sides.text($0) == third })
    #expect(sides.ledger.run("verify").text.split(separator: "\n").count == 1)
  }

  @Test func `two ledgers that were begun apart are brought together, too`() throws {
    let sides = try Sides()
    let theirs = sides.lines(["b1"], from: 20).replacingOccurrences(of: #""id":"o""#, with: #""id":"o2""#)
      .replacingOccurrences(of: #""id":"p""#, with: #""id":"p2""#)
    let others =
      theirs.split(separator: "\n").enumerated().map { place, line in
        line.replacingOccurrences(of: #"{"id":"0"#, with: #"{"id":"x\#(place)"#)
      }.joined(separator: "\n") + "\n"
    #expect(try sides.merge(sides.lines(["a1"]), others, base: "").status == .done)
    #expect(sides.text(sides.beside[0]) == others)
  }

  @Test func `the same event recorded by both is no conflict`() throws {
    let sides = try Sides()
    #expect(try sides.merge(sides.lines(["x"]), sides.lines(["x", "b1"], from: 20)).status == .done)
    #expect(sides.beside.count == 1)
    #expect(sides.ledger.run("show --json")["habits.meditation.totals.minutes"] == "10")
  }

  /// What stands in the way, as a change of the sides, and what is said of it.
  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let says: String
    let change: @Sendable (String, String, String) -> (base: String, ours: String, theirs: String)
  }

  static let refused = [
    Refused(testDescription: "no JSON", says: "line 5 of theirs is no event: not valid JSON") {
      base, ours, _ in (base, ours, base + "b1\n")
    },
    Refused(testDescription: "ours is no JSON", says: "line 1 of ours is no event") { base, _, theirs in
      (base, "hello\n", theirs)
    },
    Refused(
      testDescription: "a conflict that was committed",
      says: "line 5 of ours is no event: git left a conflict"
    ) { base, _, theirs in
      (base, base + "<<<<<<< HEAD\n", theirs)
    },
    Refused(
      testDescription: "one id for two events",
      says: #"the id "a1" is used for two events: line 5 of ours, line 5 of theirs"#
    ) {
      ($0, $1, $2.replacingOccurrences(of: #""id":"b1""#, with: #""id":"a1""#))
    },
    Refused(
      testDescription: "theirs changed a line",
      says: #"theirs has changed the event "p", line 4, which both had"#
    ) {
      ($0, $1, $2.replacingOccurrences(of: #""level":"steady""#, with: #""level":"easy""#))
    },
    Refused(
      testDescription: "ours changed a line", says: #"ours has changed the event "p", line 4, which both had"#
    ) {
      ($0, $1.replacingOccurrences(of: #""level":"steady""#, with: #""level":"easy""#), $2)
    },
    Refused(
      testDescription: "theirs lacks a line", says: #"the event "p" is line 4 of ours and line 3 of theirs"#
    ) { base, ours, theirs in
      let lines = theirs.split(separator: "\n")
      return (base, ours, (lines.prefix(2) + lines.dropFirst(3)).joined(separator: "\n") + "\n")
    },
  ]

  @Test(arguments: refused)
  func `what cannot be brought together is refused, and nothing is changed`(_ refused: Refused) throws {
    let sides = try Sides()
    let (base, ours, theirs) = refused.change(
      sides.base, sides.lines(["a1"]), sides.lines(["b1"], minutes: 7, from: 20))
    let merged = try sides.merge(ours, theirs, base: base)
    #expect(merged.status == .failed)
    #expect(merged.errors.contains(refused.says), "\(merged.errors)")
    #expect(merged.errors.contains("main.jsonl is left as ours is: "))
    #expect(sides.ours == ours)
    #expect(sides.beside.isEmpty)
  }

  @Test func `a file of another content in the place of theirs stays`() throws {
    let sides = try Sides()
    let theirs = sides.lines(["b1"], from: 20)
    let name = MergeFileTests.name(theirs.dropFirst(sides.base.count).split(separator: "\n")[0])
    try sides.ledger.write([UInt8]("mine\n".utf8), to: name)
    let merged = try sides.merge(sides.lines(["a1"]), theirs)
    #expect(merged.status == .failed)
    #expect(
      merged.errors.contains(
        "theirs would be written to \(sides.ledger.events)/\(name), which has other content"))
    #expect(sides.text(name) == "mine\n")
  }

  @Test func `what a newer program wrote is merged like any other line`() throws {
    let sides = try Sides()
    let newer = sides.lines(["b1"], from: 20).replacingOccurrences(
      of: #""id":"b1","type":"entry.logged""#, with: #""id":"b1","type":"entry.imagined""#)
    #expect(try sides.merge(sides.lines(["a1"]), newer).status == .done)
    #expect(sides.text(sides.beside[0]) == newer)
  }

  @Test func `words that git would not give are refused`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc")
    let main = ledger.events + "/main.jsonl"
    #expect(ledger.run("merge-file \(main) \(main) \(main)").status == .usage)
    #expect(
      ledger.run("merge-file \(main) \(main) nowhere \(main)").errors.contains("there is no file \"nowhere\"")
    )
    for path in ["README.md", "events/.main.jsonl", "main.jsonl/"] {
      let refused = ledger.run("merge-file \(main) \(main) \(main) \(path)")
      #expect(refused.status == .usage)
      #expect(refused.errors.contains("is no segment"), "\(refused.errors)")
    }
  }
}
