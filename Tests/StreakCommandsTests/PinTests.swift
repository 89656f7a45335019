import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakCommands
import StreakDomain
import Testing

/// `pin` and `verify --against`: a change of the fold, or of the history, is seen.
struct PinTests {
  private static let pins = Repository.root + "/Tests/Fixtures/pins"

  /// The kinds of rules that the pinned streams have: with another one in between, every stream would be another.
  private static let rules: [Rule.Name] = [
    .minutes, .level, .any, .never, .sum, .completed, .activity, .all, .either,
  ]

  private func events(_ seed: UInt64) -> [Event] {
    var stream = RandomStream(seed: seed, rules: PinTests.rules, periodSums: false)
    return stream.events(100)
  }

  private func ledger(_ events: [Event]) throws -> TemporaryLedger {
    let ledger = try TemporaryLedger(now: "2025-12-31T12:00:00+01:00")
    try ledger.write(events.flatMap { EventEncoder.line($0) }, to: "main.jsonl")
    return ledger
  }

  private func sample(_ words: [String]) -> Output {
    TemporaryLedger.run(
      words, input: "", events: Repository.root + "/events", now: "2025-11-20T21:00:00+01:00", seed: 0)
  }

  /// Writes a pin beside a ledger.
  private func write(_ text: String, in ledger: TemporaryLedger) throws -> String {
    let file = ledger.folder + "/ledger.pin"
    try text.write(toFile: file, atomically: true, encoding: .utf8)
    return file
  }

  /// RECORD=1 writes the pins; read what changed: it is what the fold makes of the same events.
  @Test func `the fold makes of the sample and of twenty random ledgers what is pinned`() throws {
    let isRecording = ProcessInfo.processInfo.environment["RECORD"] != nil
    for seed in 0...20 as ClosedRange<UInt64> {
      let file = PinTests.pins + (seed == 0 ? "/sample.pin" : "/random-\(seed).pin")
      let ledger = seed == 0 ? nil : try ledger(events(seed))
      func run(_ words: [String]) -> Output { ledger?.run(words) ?? sample(words) }
      if isRecording {
        try run(["pin"]).text.write(toFile: file, atomically: true, encoding: .utf8)
      }
      // The random ledgers have no seals, and other findings.
      let output = run(["verify", "--against", file, "--json"])
      #expect(output["agrees"] == "1", "\(file): \(output.screen)")
      #expect(run(["pin"]).text == (try String(contentsOfFile: file, encoding: .utf8)), "\(file)")
    }
  }

  @Test(arguments: Cases.seeds(4))
  func `the pin of a prefix is that of the log cut off there, and has what replay has`(seed: UInt64) throws {
    let events = events(seed)
    let whole = try ledger(events)
    for position in stride(from: 1, through: events.count, by: 17) {
      let pin = whole.run("pin --at \(position)").text
      #expect(pin == (try ledger(Array(events[..<position])).run("pin").text), "seed \(seed), \(position)")
      let state = whole.run("replay --at \(position) --json")
      let lines = pin.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(lines.contains(["position", "\(position)"]) && lines.contains(["xp", state["xp"] ?? ""]))
      #expect(lines.contains(["today", state["today"] ?? ""]))
      for habit in ["a", "b", "c", "d", "both", "more"] {
        guard let last = lines.last(where: { $0[0] == "habit" && $0[1] == habit }) else { continue }
        #expect(last[5] == state["habits.\(habit).current"], "seed \(seed), \(position), \(habit)")
      }
    }
  }

  @Test func `of every history of up to three days the pin of each prefix is that of the log cut off there`()
    throws
  {
    for history in ShortHistory.all(of: Preset.noalc.definition(for: "noalc"), upTo: 3) {
      let whole = try ledger(history.events)
      for position in 1..<history.events.count {
        let prefix = try ledger(Array(history.events[..<position]))
        let file = try write(whole.run("pin --at \(position)").text, in: prefix)
        #expect(
          prefix.run("pin").text == (try String(contentsOfFile: file, encoding: .utf8)), "\(history.marks)")
        #expect(prefix.run(["verify", "--against", file]).status == .done, "\(history.marks), \(position)")
      }
    }
  }

  @Test(arguments: Cases.seeds(3))
  func `a ledger that grew agrees with its pin`(seed: UInt64) throws {
    let whole = try ledger(events(seed))
    let file = try write(whole.run("pin --at 60").text, in: whole)
    #expect(whole.run(["verify", "--against", file, "--json"])["agrees"] == "1", "seed \(seed)")
  }

  @Test func `a number that folds otherwise is named with its habit, day, field and event`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init awareness\nlog awareness --id a3")
    let pin = ledger.run("pin").text
    #expect(pin.contains("\nhabit awareness 2025-11 __● run 1\n"))
    for (from, to, field, pinned, now) in [
      ("__●", "__○", "verdict", "missed", "good"), ("run 1", "run 2", "run", "2", "1"),
      ("run 1", "run 1 +1@3", "jokers", "+1@3", "null"),
    ] {
      let file = try write(pin.replacingOccurrences(of: from, with: to), in: ledger)
      let output = ledger.run(["verify", "--against", file, "--json"])
      #expect(output.status == .failed)
      #expect(output["cause"] == "fold" && output["agrees"] == "0")
      #expect(output["difference.habit"] == "awareness" && output["difference.day"] == "2025-11-03")
      #expect(output["difference.field"] == field && output["difference.event"] == "a3")
      #expect(output["difference.pinned"] == pinned && output["difference.now"] == now, "\(output.text)")
    }
    let file = try write(
      pin.replacingOccurrences(of: "__●", with: "__○").replacingOccurrences(of: "fold 3", with: "fold 0"),
      in: ledger)
    #expect(
      ledger.run(["verify", "--against", file]).screen == """
        fold: awareness on 2025-11-03, verdict missed → good  a3
          pinned by fold 0, this program is fold 3
        [exit 1]

        """)
    let xp = try write(pin.replacingOccurrences(of: "xp 0", with: "xp 7"), in: ledger)
    #expect(ledger.run(["verify", "--against", xp]).text == "fold: xp 7 → 0\n")
  }

  @Test func `the first event that was added, is gone, moved or altered is named, and what it changed`()
    throws
  {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init awareness\nlog awareness --id a3 --at 09:00")
    ledger.now = "2025-11-04T12:00:00+01:00"
    try ledger.run(all: "log awareness --id a4 --note 'a text'\nlog awareness --id b4")
    let bytes = ledger.bytes()
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let file = try write(ledger.run("pin").text, in: ledger)
    func against(_ lines: [String], _ more: [String] = []) throws -> Output {
      try ledger.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: "main.jsonl")
      return ledger.run(["verify", "--against", file, "--json"] + more)
    }
    #expect(lines.count == 6)
    let gone = try against(Array(lines[..<2] + lines[3...]))
    #expect(gone["cause"] == "history" && gone["history.change"] == "gone" && gone["history.position"] == "3")
    #expect(gone["difference.day"] == "2025-11-03" && gone["difference.field"] == "verdict")
    let altered = try against(lines.map { $0.replacing("\"2025-11-03T09:00", with: "\"2025-11-03T08:00") })
    #expect(altered["history.change"] == "altered" && altered["history.event"] == "a3")
    #expect(altered["difference"] == "null")
    let text = try against(lines.map { $0.replacing("a text", with: "another") })
    #expect(text["agrees"] == "1")
    let last = try against(Array(lines[..<5]))
    #expect(last["history.change"] == "gone" && last["history.position"] == "6")
    // Another device's segment, recorded just behind the first entry.
    let late = lines[2].replacing("\"a3\"", with: "\"late\"")
    try ledger.write(Array((late + "\n").utf8), to: "other.jsonl")
    let added = try against(lines)
    #expect(added.status == .failed && added["cause"] == "history", "\(added.screen)")
    #expect(added["history.change"] == "added" && added["history.event"] == "late")
    let allowed = try against(lines, ["--allow-late"])
    #expect(
      allowed.status == .done && allowed["agrees"] == "1" && allowed["history.added"] == "1",
      "\(allowed.screen)")
    #expect(try against(Array(lines[..<5]), ["--allow-late"]).status == .failed)
  }

  @Test func `what is wrong with the ledger is found beside a pin, and a sound one that agrees is silent`()
    throws
  {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init awareness\nlog awareness --id a3")
    let file = try write(ledger.run("pin").text, in: ledger)
    #expect(ledger.run(["verify", "--against", file]).screen == "")
    let json = ledger.run(["verify", "--against", file, "--json"])
    #expect(json["sound"] == "1" && json["agrees"] == "1" && json["format"] == "1")
    try ledger.write(ledger.bytes() + Array("nonsense\n".utf8), to: "main.jsonl")
    let found = ledger.run(["verify", "--against", file])
    #expect(found.status == .failed && found.text.contains("main.jsonl:4"), "\(found.screen)")
  }

  @Test func `another today and another subject are told`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init noalc\nlog noalc steady")
    let pin = ledger.run("pin").text
    let other = try write(pin.replacing("today 2025-11-03", with: "today 2025-12-24"), in: ledger)
    let output = ledger.run(["verify", "--against", other])
    #expect(
      output.status == .failed && output.text.contains("today 2025-12-24 → 2025-11-03"), "\(output.screen)")
    let refused = ledger.run(["verify", "--subject", "bob", "--against", try write(pin, in: ledger)])
    #expect(refused.status == .usage && refused.errors.contains("is a pin of the owner"), "\(refused.screen)")
  }

  @Test func `what is no pin is refused with its line, and options that do not go with it`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(all: "init awareness\nlog awareness")
    let pin = ledger.run("pin").text
    for (text, line) in [
      (pin.replacingOccurrences(of: "streaks-pin 1", with: "streaks-pin 2"), 1),
      (pin.replacingOccurrences(of: "__●", with: "__x"), 8),
      (pin.replacingOccurrences(of: "position 3", with: "position x"), 3),
      (pin.replacingOccurrences(of: "run 1", with: "run 1 +@3"), 8),
    ] {
      let output = ledger.run(["verify", "--against", try write(text, in: ledger)])
      #expect(output.status == .badData, "\(output.screen)")
      #expect(output.errors.contains("ledger.pin:\(line): this is no line of a pin"), "\(output.errors)")
    }
    let cut = try write(String(pin.prefix(60)), in: ledger)
    #expect(ledger.run(["verify", "--against", cut]).status == .badData)
    for text in ["hello\n", "", "streaks"] {
      let output = ledger.run(["verify", "--against", try write(text, in: ledger)])
      #expect(
        output.status == .usage && output.errors.contains("neither heads nor a pin"), "\(output.screen)")
    }
    let heads = try write(ledger.run("verify --heads").text, in: ledger)
    #expect(ledger.run(["verify", "--against", heads]).status == .done)
    for words in [
      ["--allow-late"], ["--allow-late", "--against", heads], ["--allow-late", "--accept", "main"],
    ] {
      #expect(ledger.run(["verify"] + words).status == .usage, "\(words)")
    }
    #expect(ledger.run("verify --against nowhere.pin").errors.contains("there is no file"))
    #expect(ledger.run("pin --at 99").errors.contains("there is no position 99"))
  }
}
