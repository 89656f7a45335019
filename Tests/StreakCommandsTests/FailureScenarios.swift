import CommandFixtures
import EventLog
import Foundation
import StreakDomain

/// A scenario for each kind of failure of a command, a line and an event, in the order of the kinds.
extension FailureScenario {
  static let asked = [
    FailureScenario(.usage, "show --jsno"),
    FailureScenario(.refused, "define noalc --name New --id e1", "delete e1"),
    FailureScenario(.notFound, "show noalk"),
    FailureScenario(.badPredicate, "when 'noalc.status == brokn'"),
    FailureScenario(.missingZone, "show", isBare: true) { room in
      try room.ledger.write([UInt8](stored("ledger.opened", zone: "Mars/Olympus").utf8), to: "main.jsonl")
    },
  ]

  static let lines = [
    FailureScenario(log: .notUTF8), FailureScenario(log: .notJSON, "--leading-zero"),
    FailureScenario(log: .conflictMarker), FailureScenario(log: .blankLine), FailureScenario(log: .tooLong),
    FailureScenario(log: .tooDeep), FailureScenario(log: .duplicateKey),
    FailureScenario(log: .missingField, "--habit"), FailureScenario(log: .wrongType, "--minutes"),
    FailureScenario(log: .badForm, "--day"), FailureScenario(log: .outOfRange, "--minutes"),
    FailureScenario(log: .unknownField), FailureScenario(log: .unknownType),
    FailureScenario(log: .newerVersion), FailureScenario(log: .badDefinition, "--gap"),
    FailureScenario(log: .recordedNotIncreasing), FailureScenario(log: .reusedID),
  ]

  static let events = [
    FailureScenario(.unknownHabit, append("entry.logged", #""habit":"noalk","level":"steady""#)),
    FailureScenario(.unknownMember, define("both", #"{"kind":"all","of":["noalc","meditaton"]}"#)),
    FailureScenario(.circularMember, define("morning_ritual", #"{"kind":"all","of":["daily_complete"]}"#)),
    FailureScenario(.entryForComposite, "log daily_complete"),
    FailureScenario(.missingMeasure, append("entry.logged", #""habit":"meditation""#)),
    FailureScenario(
      .nothingToCount,
      append(
        "habit.defined",
        #""habit":"swim","rule":{"kind":"activity","thresholds":{"lengths":{"minutes":10,"km":1}}}"#),
      append("entry.logged", #""habit":"swim","activity":"lengths""#)),
    FailureScenario(.unknownLevel, append("entry.logged", #""habit":"noalc","level":"stedy""#)),
    FailureScenario(.levelDisagrees, "log noalc steady 4drinks"),
    FailureScenario(
      .noLevel, define("beer", #"{"kind":"level","levels":{"few":[0,2],"many":[3,9]},"good":["few"]}"#),
      "log beer 50drinks"),
    FailureScenario(
      .overLimit,
      define("beer", #"{"kind":"level","levels":{\#(levels(101))},"good":["l0"]}"#)),
    FailureScenario(
      .unknownOutcome,
      define(
        "beer", #"{"kind":"any"}"#,
        #","forgiveness":{"kind":"joker","every":7,"cap":3,"heals":["missd"]}"#)),
    FailureScenario(.unknownEntry, append("entry.deleted", #""entry":"nope""#)),
    FailureScenario(
      .entryDeletedBefore, "log noalc steady --id n1", "delete n1", append("entry.deleted", #""entry":"n1""#)),
    FailureScenario(.unknownExcuse, "log noalc steady --id n1", "excuse --withdraw n1"),
    FailureScenario(
      .excuseWithdrawnBefore, "excuse 2025-11-03 --id x", "excuse --withdraw x",
      append("excuse.withdrawn", #""excuse":"x""#)),
    FailureScenario(
      .excuseOfZone,
      append("days.excused", #""id":"z","from":"2011-12-30","to":"2011-12-30","reason":"zone""#),
      append("excuse.withdrawn", #""excuse":"z""#)),
    FailureScenario(
      .unknownCelebration, append("celebration.seen", #""celebration":"perfect-day:2025-11-03""#)),
    FailureScenario(.dayNotChanged, append("day.changed", #""to":"2025-11-03""#)),
    FailureScenario(.dayIsNotTo, append("day.changed", #""day":"2025-11-02","to":"2025-11-03""#)),
    FailureScenario(.movesNoDay, "day", december, "day", november, correct(moving: "n9")),
    FailureScenario(
      .movesNotBeyond, "log noalc steady --id n3", december, "day", november, correct(moving: "n3")),
    FailureScenario(.notAhead, append("day.corrected", #""to":"2025-11-03""#)),
    FailureScenario(.retiredBefore, "define noalc --retire", append("habit.retired", #""habit":"noalc""#)),
    FailureScenario(
      .afterRetirement, "define noalc --retire --on 2025-11-02", "log noalc steady"),
    FailureScenario(
      .inTheFuture,
      append("entry.logged", #""habit":"noalc","level":"steady","at":"2025-11-03T12:06:00+01:00""#)),
    FailureScenario(.dayAfterItsTime, "log noalc steady --on 2025-11-04"),
    FailureScenario(.beyondTheCalendar, "now 2199-12-31T23:30:00-01:00", "log noalc steady"),
    FailureScenario(
      .unknownZone, append("entry.logged", #""habit":"noalc","level":"steady","zone":"Europe/Berln""#)),
    FailureScenario(
      .notOpened,
      #"append --skip-unknown <<< {"type":"habit.defined","habit":"a","rule":{"kind":"any"}}"#,
      files: ["events/main.jsonl": "{\"type\":\"else\"}\n"], isBare: true),
    FailureScenario(
      .notGrouped, "fold --grouped <<< " + ["ana", "bob", "ana"].map { entry(of: $0) }.joined()),
    FailureScenario(.conditionUnmet, "log noalc steady --if 'noalc.jokers.held > 0'"),
    FailureScenario(.conditionUnknown, "log noalc steady --if 'noalk.current > 0'"),
    FailureScenario(
      .notRestored, "log noalc steady --id n1", "log noalc easy --replaces n1 --id n2", "undo n1"),
    FailureScenario(
      .conflict, "log noalc steady --id n1",
      append("entry.logged", #""id":"n1","habit":"noalc","level":"easy""#)),
    FailureScenario(.wrongPosition, "log noalc steady --expect 3"),
  ]

  /// `append` with an event of a type and its fields.
  private static func append(_ type: String, _ fields: String) -> String {
    #"append <<< {"type":"\#(type)",\#(fields)}"#
  }

  private static func define(_ habit: String, _ rule: String, _ more: String = "") -> String {
    append("habit.defined", #""habit":"\#(habit)","rule":\#(rule)\#(more)"#)
  }

  private static func levels(_ count: Int) -> String {
    (0..<count).map { #""l\#($0)":[\#($0),\#($0 == count - 1 ? "null" : "\($0)")]"# }.joined(separator: ",")
  }

  /// Makes the clock wrong, and right again.
  static let december = "now 2025-12-05T12:00:00+01:00"
  static let november = "now 2025-11-03T13:00:00+01:00"

  private static func correct(moving event: String) -> String {
    append("day.corrected", #""to":"2025-11-03","moved":["\#(event)"]"#)
  }

  /// A stored line with an id of its own.
  static func stored(
    _ type: String, zone: String = "Europe/Berlin", recorded: String = "2025-11-02T12:00:00.000000Z",
    _ more: String = ""
  ) -> String {
    #"{"id":"\#(UUID().uuidString)","type":"\#(type)","at":"2025-11-02T12:00:00Z","recorded":"\#(recorded)","#
      + #""day":"2025-11-02","zone":"\#(zone)"\#(more)}"# + "\n"
  }

  /// A stored line of somebody's entry.
  static func entry(of subject: String) -> String {
    stored("entry.logged", #","subject":"\#(subject)","habit":"noalc""#)
  }
}
