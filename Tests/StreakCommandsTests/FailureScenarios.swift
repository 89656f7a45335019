import CommandFixtures
import EventLog
import Foundation
import StreakDomain

extension FailureScenario {
  static let asked = [
    FailureScenario(.usage, "show --jsno"),
    FailureScenario(.refused, "define noalc --name New --id e1", "delete e1"),
    FailureScenario(.notFound, "show noalk"),
    FailureScenario(.missingZone, "show", isBare: true) { room in
      try room.ledger.write(
        [UInt8](stored("ledger.opened", zone: "Mars/Olympus").utf8), to: "main.jsonl")
    },
    FailureScenario(
      .noProgram, "import apple-health export.zip", files: ["export.zip": "PK\u{3}\u{4}"]
    ) { room in room.ledger.searchPath = "" },
  ]

  static let lines = [
    FailureScenario(log: .notJSON, "--leading-zero"), FailureScenario(log: .conflictMarker),
    FailureScenario(log: .missingField, "--habit"), FailureScenario(log: .badForm, "--day"),
    FailureScenario(log: .outOfRange, "--minutes"), FailureScenario(log: .unknownField),
    FailureScenario(log: .unknownType), FailureScenario(log: .recordedNotIncreasing),
    FailureScenario(log: .reusedID),
  ]

  static let events = [
    FailureScenario(.unknownHabit, append("entry.logged", #""habit":"noalk","level":"steady""#)),
    FailureScenario(.unknownMember, define("both", #"{"kind":"all","of":["noalc","meditaton"]}"#)),
    FailureScenario(.missingMeasure, append("entry.logged", #""habit":"meditation""#)),
    FailureScenario(
      .nothingToCount,
      append(
        "habit.defined",
        #""habit":"swim","rule":{"kind":"activity","thresholds":{"lengths":{"minutes":10,"km":1}}}"#
      ),
      append("entry.logged", #""habit":"swim","activity":"lengths""#)),
    FailureScenario(
      .overLimit,
      define("beer", #"{"kind":"level","levels":{\#(levels(101))},"good":["l0"]}"#)),
    FailureScenario(.unknownEntry, append("entry.deleted", #""entry":"nope""#)),
    FailureScenario(.unknownExcuse, "log noalc steady --id n1", "excuse --withdraw n1"),
    FailureScenario(
      .notOpened,
      #"append --skip <<< {"type":"habit.defined","habit":"a","rule":{"kind":"any"}}"#,
      files: ["events/main.jsonl": "{\"type\":\"else\"}\n"], isBare: true),
    FailureScenario(.doesNotFit, "log noalc steady 4drinks"),
    FailureScenario(.untimely, "log noalc steady --on 2025-11-04"),
    FailureScenario(.conditionUnmet, "log noalc steady --if 'noalc.jokers.held > 0'"),
    FailureScenario(.conditionUnknown, "log noalc steady --if 'noalk.current > 0'"),
    FailureScenario(
      .notRestored, "log noalc steady --id n1", "log noalc easy --replaces n1 --id n2", "undo n1"),
    FailureScenario(
      .conflict, "log noalc steady --id n1",
      append("entry.logged", #""id":"n1","habit":"noalc","level":"easy""#)),
    FailureScenario(.wrongPosition, "log noalc steady --expect 3"),
  ]

  private static func append(_ type: String, _ fields: String) -> String {
    #"append <<< {"type":"\#(type)",\#(fields)}"#
  }

  private static func define(_ habit: String, _ rule: String, _ more: String = "") -> String {
    append("habit.defined", #""habit":"\#(habit)","rule":\#(rule)\#(more)"#)
  }

  private static func levels(_ count: Int) -> String {
    (0..<count).map { #""l\#($0)":[\#($0),\#($0 == count - 1 ? "null" : "\($0)")]"# }.joined(
      separator: ",")
  }

  static let december = "now 2025-12-05T12:00:00+01:00"
  static let november = "now 2025-11-03T13:00:00+01:00"

  static func stored(
    _ type: String, zone: String = "Europe/Berlin",
    recorded: String = "2025-11-02T12:00:00.000000Z",
    _ more: String = ""
  ) -> String {
    #"""
    {"id":"\#(UUID().uuidString)","type":"\#(type)","at":"2025-11-02T12:00:00Z","recorded":\#
    "\#(recorded)",
    """#
      + #""day":"2025-11-02","zone":"\#(zone)"\#(more)}"# + "\n"
  }
}
