import DomainFixtures
import Inspection
import StreakCommands
import StreakDomain
import Testing

struct PredicateTests {
  private func condition(_ text: String) throws -> Condition {
    try Predicate(parsing: text).condition
  }

  private func holds(_ text: String, _ history: History) throws -> Bool {
    let predicate = try Predicate(parsing: text, habits: history.ledger.definedHabits)
    return predicate.holds(in: history.ledger)
  }

  @Test(arguments: [
    ("xp > 1 or xp > 2 and xp > 3", "xp > 1 or (xp > 2 and xp > 3)"),
    ("xp > 1 and xp > 2 or xp > 3", "(xp > 1 and xp > 2) or xp > 3"),
    ("not xp > 1 and xp > 2", "(not xp > 1) and xp > 2"),
    ("not not xp > 1", "not (not (xp > 1))"),
    ("xp>1 and xp<2", "xp > 1 and xp < 2"),
    ("zone == UTC", "zone == \"UTC\""),
    ("a.name == 'x' or true".replacing("'", with: "\""), "(a.name == \"x\") or true"),
  ])
  func `in predicates not binds tighter than and, and and tighter than or`(
    text: String, meaning: String
  ) throws {
    #expect(try condition(text) == condition(meaning))
  }

  @Test func `parentheses change the meaning of a predicate`() throws {
    #expect(
      try condition("xp > 1 and (xp > 2 or xp > 3)") != condition("xp > 1 and xp > 2 or xp > 3"))
    #expect(try condition("not (xp > 1 and xp > 2)") != condition("not xp > 1 and xp > 2"))
  }

  @Test(arguments: [
    ("a.current == 1", "a"), ("a.b.jokers.held == 1", "a.b"),
    ("my-habit_2.x.totals.km == 1.5", "my-habit_2.x"),
    ("activity.current == 1", "activity"), ("xp.current == 1", "xp"), ("not.best > 1", "not"),
    ("a.current.current == 1", "a.current"), ("jokers.held.jokers.held == 1", "jokers.held"),
  ])
  func `a predicate reads the longest name before a field as the habit`(text: String, habit: String)
    throws
  {
    let predicate = try Predicate(parsing: text, habits: [habit, "a", "my-habit_2"])
    #expect(predicate.mentions.map(\.habit) == [habit])
  }

  @Test func `a predicate that is too deeply nested or too long is refused`() throws {
    let deep = { (levels: Int) in
      String(repeating: "(", count: levels) + "xp > 1" + String(repeating: ")", count: levels)
    }
    #expect(try condition(deep(64)) == condition("xp > 1"))
    let tooDeep = #expect(throws: Failure.self) { try condition(deep(65)) }
    #expect(tooDeep?.says.text.contains("nested deeper") ?? false)
    #expect(tooDeep?.column == 65)
    #expect(throws: Failure.self) { try condition(String(repeating: "(", count: 4000)) }
    #expect(throws: Failure.self) { try condition(String(repeating: "not ", count: 1000) + "true") }
    _ = try condition(String(repeating: "true or ", count: 500) + "true")
    let long = #expect(throws: Failure.self) { try condition(String(repeating: " ", count: 4097)) }
    #expect(long?.says.text.contains("4097 bytes") ?? false)
  }

  @Test(arguments: Cases.seeds(300))
  func `a predicate with random characters inserted is read or refused without a crash`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var source = RandomPredicate(seed: seed)
    var bytes = Array(source.predicate().utf8)
    for _ in 0...random.below(4) {
      let byte = Array("()\"\\<>=!. ahn0-:é".utf8)[random.below(18)]
      bytes.insert(byte, at: random.below(bytes.count + 1))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    do {
      _ = try Predicate(parsing: text)
    } catch {
      #expect(error.column <= text.utf8.count + 1)
    }
  }

  @Test(arguments: [
    ("noalc.current == 9", true), ("noalc.current != 9", false), ("9 <= noalc.current", true),
    ("noalc.current < 9.001", true), ("noalc.current == noalc.best", true),
    ("noalc.jokers.held == 0", true),
    ("noalc.status == done", true), ("noalc.status != \"done\"", false),
    ("noalc.lastGood == today", true),
    ("noalc.lastGood > 2025-09-08", true), ("noalc.start != null", true),
    ("noalc.icon == \"🍀\"", true),
    ("activity.lastActivity == null", true), ("achievements has streak-master:silver", true),
    ("achievements has streak-master:gold", false), ("achievements has milestone:noalc:7", true),
    ("celebrations has completed:noalc:2025-09-09", true), ("zone == UTC and position == 11", true),
    ("not noalc.current == 9 or false", false), ("true", true), ("not false", true),
  ])
  func `predicates have the expected values after steady, easy and missed days`(
    text: String, isTrue: Bool
  ) throws {
    let history = History(Preset.noalc.definition, "SSSSSSSES")
    #expect(try holds(text, history) == isTrue)
  }

  @Test func `in a predicate null is neither before nor after any day`() throws {
    let history = History(Preset.noalc.definition, "S..")
    #expect(try holds("noalc.start == null", history))
    #expect(try !holds("noalc.start < 2199-12-31", history))
    #expect(try !holds("noalc.start >= 1900-01-01", history))
    #expect(try holds("not noalc.start < 2199-12-31", history))
    #expect(try holds("noalc.start != 2025-09-01", history))
  }

  @Test(arguments: [
    "a.current == 0", "a.current != 0", "not a.current == 0", "not a.current != 0",
    "not not a.current == 0",
    "a.current == 0 and true", "not (a.current == 0 or false)", "a.current == noalc.current",
  ])
  func `a comparison with a habit that is not defined is false, and so is its negation`(
    text: String
  ) throws {
    let ledger = History(Preset.noalc.definition, "S").ledger
    let predicate = try Predicate(parsing: text, habits: ["a", "noalc"])
    #expect(!predicate.holds(in: ledger))
    let other = try Predicate(parsing: "(\(text)) or noalc.current == 1")
    #expect(other.holds(in: ledger))
    #expect(other.comparedValues(in: ledger).hasPrefix("a is not defined"))
  }
}
