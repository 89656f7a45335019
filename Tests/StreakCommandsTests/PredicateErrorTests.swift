import CommandFixtures
import Inspection
import StreakDomain
import Testing

struct PredicateErrorTests {
  static let table: [(predicate: String, column: Int, says: String)] = [
    ("   ", 4, "a predicate is missing, such as 'noalc.current >= 7'"),
    ("xp = 1", 4, "\"=\" has no meaning here; write =="),
    ("xp => 1", 4, "\"=>\" has no meaning here; write >="),
    ("xp > 1 && today != null", 8, "\"&&\" has no meaning here; write and"),
    ("! xp > 1", 1, "\"!\" has no meaning here; write not"),
    ("xp ≥ 1", 4, "\"≥\" has no meaning here; write >="),
    ("noalc.name == 'x'", 15, "\"'\" has no meaning here; write \""),
    ("noalc.name == Ä", 15, "\"Ä\" has no meaning here; other text needs \"quotes\""),
    ("noalc.name == \"x", 15, "this text has no closing quote"),
    ("xp > 1 and", 11, "expected a comparison, such as noalc.current >= 7, not the end"),
    ("xp > 1 and or xp > 2", 12, "expected a comparison, such as noalc.current >= 7, not \"or\""),
    ("xp", 3, "expected one of == != <= < >= > has after \"xp\", not the end"),
    ("xp and today != null", 4, "expected one of == != <= < >= > has after \"xp\", not \"and\""),
    ("xp >", 5, "expected a field or a value after >, not the end"),
    ("xp > > 1", 6, "expected a field or a value after >, not \">\""),
    ("xp > 1 adn xp < 5", 8, "expected and, or, or the end, not \"adn\" (did you mean \"and\"?)"),
    ("0 < xp < 5", 8, "expected and, or, or the end, not \"<\""),
    ("(xp > 1", 1, "this parenthesis is never closed"),
    ("xp > 1)", 7, "expected and, or, or the end, not \")\""),
    (
      "today > 2025-11-31", 9,
      "\"2025-11-31\" is no number with at most 3 decimals, nor a day YYYY-MM-DD, 1900-01-01 to 2199-12-31; text needs \"quotes\""
    ),
    (
      "xp > 1.2345", 6,
      "\"1.2345\" is no number with at most 3 decimals, nor a day YYYY-MM-DD, 1900-01-01 to 2199-12-31; text needs \"quotes\""
    ),
    (
      "xp > 9999999999999999", 6,
      "\"9999999999999999\" is no number with at most 3 decimals, nor a day YYYY-MM-DD, 1900-01-01 to 2199-12-31; text needs \"quotes\""
    ),
    ("xpp > 1", 1, "\"xpp\" is no field of a state (did you mean \"xp\"?)"),
    ("nolac.curent > 1", 1, "\"nolac.curent\" is no field of a state (did you mean \"noalc.current\"?)"),
    (
      "activity.strengthDay > 1", 1,
      "\"activity.strengthDay\" is no field of a state (did you mean \"activity.strengthDays\"?)"
    ),
    ("true and noalk.current > 1", 10, "no habit \"noalk\" is defined (did you mean \"noalc\"?)"),
    (
      "noalc.jokers > 1", 1,
      "\"noalc\" has no field \"jokers\" (did you mean \"jokers.earned\" or \"jokers.forfeited\" or \"jokers.held\"?)"
    ),
    ("xp > noalc.curent", 6, "\"noalc\" has no field \"curent\" (did you mean \"current\"?)"),
    ("noalc > 1", 1, "\"noalc\" is a habit; say which field of it, such as noalc.current"),
    ("noalc", 1, "\"noalc\" is a habit; say which field of it, such as noalc.current"),
    ("1 == 1", 1, "two values are compared here; one side must be a field, such as noalc.current"),
    ("noalc.current == true", 18, "no field is true or false; use true alone"),
    ("false == xp", 1, "no field is true or false; use false alone"),
    (
      "noalc.current > 2025-11-03", 17,
      "noalc.current is a number and 2025-11-03 is a day, which do not compare"
    ),
    (
      "noalc.current == noalc.start", 18,
      "noalc.current is a number and noalc.start is a day, which do not compare"
    ),
    (
      "noalc.current == seven", 18, "noalc.current is a number and seven is text, which do not compare"
    ),
    ("\"7\" == noalc.current", 1, "noalc.current is a number and \"7\" is text, which do not compare"),
    ("noalc.current == null", 18, "noalc.current is never null"),
    ("noalc.start > null", 13, "null has no order, so > cannot be asked; == and != can"),
    ("noalc.status > broken", 14, "noalc.status has no order, so > cannot be asked; == and != can"),
    (
      "noalc.status == brokn", 17,
      "noalc.status is never \"brokn\" (did you mean \"broken\"?); it is one of off, retired, new, rest, grace, due, done, broken"
    ),
    (
      "noalc.ifMissed == \"heal\"", 19,
      "noalc.ifMissed is never \"heal\" (did you mean \"heals\"?); it is one of none, safe, rests, heals, graced, breaks"
    ),
    (
      "achievements == tri-threat", 1,
      "achievements is a list; ask what it has, as in achievements has KEY"
    ),
    (
      "celebrations != null", 1,
      "celebrations is a list; ask what it has, as in celebrations has KEY"
    ),
    (
      "noalc.name has x", 1, "only achievements and celebrations have something; \"noalc.name\" is neither"
    ),
    (
      "achievements has tri-thret", 18,
      "\"tri-thret\" is no key of achievements (did you mean \"tri-threat\"?)"
    ),
    ("achievements has 3", 18, "\"3\" is no key of achievements"),
    (
      "achievements has milestone:noalk:7", 18, "no habit \"noalk\" is defined (did you mean \"noalc\"?)"
    ),
    (
      "celebrations has noalc", 18,
      "\"noalc\" is no key of celebrations; one is completed:HABIT:DAY, perfect-day:DAY, milestone:HABIT:N:DAY or achievement:KEY"
    ),
  ]

  @Test(arguments: table)
  func `a wrong predicate is exit 2, with a mark and the nearest names`(
    predicate: String, column: Int, says: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let output = ledger.run(["when", predicate])
    #expect(output.status == .usage)
    #expect(output.text.isEmpty)
    let mark = String(repeating: " ", count: column - 1) + "^"
    #expect(output.errors == "streaks: \(says)\n  \(predicate)\n  \(mark)\n")
  }

  @Test func `too long and too deep ones are shown in part`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let deep = String(repeating: "(", count: 70) + "xp > 1"
    #expect(
      ledger.run(["when", deep]).errors.hasPrefix("streaks: parentheses and `not` nested deeper than 64"))
    let long = ledger.run(["when", String(repeating: "xp > 1 or ", count: 500)])
    #expect(long.status == .usage)
    #expect(long.errors.hasPrefix("streaks: the predicate has 5000 bytes; at most 4096 are allowed"))
    #expect(long.errors.utf8.count < 400)
  }

  @Test func `the mark stands under the token where wide letters come before it`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    let errors = ledger.run(["when", "noalc.icon == \"🍀\" or xpp > 1"]).errors
    #expect(
      errors.hasSuffix("  noalc.icon == \"🍀\" or xpp > 1\n" + String(repeating: " ", count: 24) + "^\n"))
  }

  @Test func `control characters of a predicate are not sent to the terminal`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    #expect(!ledger.run(["when", "xpp > \u{1B}[2J"]).errors.contains("\u{1B}"))
  }

  @Test func `every field can be compared, and docs domain lists it`() throws {
    let ledger = try TemporaryLedger()
    // The gym habit has a quota.
    ledger.run("init noalc gym")
    ledger.run("log noalc steady")
    for field in HabitField.allCases {
      #expect(ledger.run(["when", "noalc.\(field.rawValue) != noalc.\(field.rawValue)"]).status == .failed)
    }
    let verdicts = Set(Verdict.allCases.map { "days.\($0.rawValue)" })
    let domain = try Repository.text("docs/domain.md")
    let rows = domain.split(separator: "\n").drop { $0 != "## A habit's state" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("|") }
    for field in HabitField.allCases where field != .name && field != .icon {
      let path = field.rawValue.split(separator: ".")
      let isListed = rows.contains { row in
        verdicts.contains(field.rawValue)
          ? row.contains("`days`") : path.allSatisfy { row.contains("`\($0)`") }
      }
      #expect(isListed, "docs/domain.md, \"A habit's state\", does not list \(field.rawValue)")
    }
    let document = ledger.run("replay --json").text
    for field in LedgerField.allCases.map(\.rawValue) {
      let last = field.split(separator: ".").last ?? ""
      #expect(document.contains("\"\(last)\":"), "\(field)")
    }
  }
}
