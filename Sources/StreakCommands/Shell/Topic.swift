import Inspection
import StreakDomain

/// A topic of `streaks help` that isn't a command, such as `words`.
struct Topic: Sendable {
  let name: String
  let help: HelpText

  static let all = [
    Topic(name: "words", help: HelpText(PackageResources.words_txt)),
    Topic(
      name: "options",
      help: HelpText(
        PackageResources.options_txt,
        inserting: [
          "common": table(Option.common), "writing": table(Option.writing),
          "whatIf": table(Option.whatIf),
        ])),
    Topic(name: "points", help: HelpText(PackageResources.points_txt)),
    Topic(
      name: "predicates",
      help: HelpText(
        PackageResources.predicates_txt,
        inserting: ["habitFields": habitFields, "ledgerFields": ledgerFields])),
    Topic(name: "measures", help: HelpText(PackageResources.measures_txt)),
    Topic(name: "environment", help: HelpText(PackageResources.environment_txt)),
    Topic(name: "files", help: HelpText(PackageResources.files_txt)),
    Topic(name: "scripts", help: HelpText(PackageResources.scripts_txt)),
  ]

  func page(width: Int) -> String {
    ([help.summary, ""] + Layout.filled(help.details, to: width)).joined(separator: "\n")
  }

  private static func table(_ options: [Option]) -> String {
    Help.table(options).joined(separator: "\n")
  }

  private static var habitFields: String {
    HabitField.allCases.map { line($0.path, $0.kind, $0.words, $0.isNullable) }
      .joined(separator: "\n")
  }

  private static var ledgerFields: String {
    LedgerField.allCases.map { line($0.rawValue, $0.kind, $0.words, $0.isNullable) }
      .joined(separator: "\n")
  }

  private static func line(
    _ name: String, _ kind: StateValue.Kind, _ words: [String]?, _ isNullable: Bool
  ) -> String {
    let values = words?.joined(separator: ", ") ?? kind.phrase
    return TableRow.text(indent: 2, (name, 21), (values + (isNullable ? ", or null" : ""), 0))
  }
}
