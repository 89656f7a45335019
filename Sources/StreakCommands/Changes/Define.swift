import EventLog
import Imports
import Inspection
import StreakDomain

/// The command that defines or retires a habit.
struct DefineCommand: Command {
  static let name = "define"
  static let group = CommandGroup.habits
  static let words = Synopsis("HABIT", asking: "a HABIT, and options such as --schedule 3/week")
  static let options: [Option] =
    [.json] + fields + [
      Option("--on", .day, "the day it takes effect from, also tomorrow or +3 (default: today)"),
      Option("--retire", nil, "no longer due after the day of --on", excludes: fields.map(\.name)),
    ] + Option.writing
  static let help = HelpText(PackageResources.define_txt, inserting: ["presets": Preset.list])
  static let hasOwnColor = true

  private static let asking =
    rules + forgiving + [
      Option(
        "--forgiveness", .other("JSON"),
        "such as '{\"kind\":\"joker\",\"every\":7,\"cap\":3,\"heals\":[\"missed\"]}'",
        excludes: forgiving.map(\.name)),
      Option(
        "--schedule",
        .other(
          "DAYS", suggests: ["daily", "mon-fri", "mon,wed,fri", "3/week", "10/month", "every:2"]),
        "daily, mon-fri, mon,wed,fri, 3/week (on 3 days of it), 10/month, every:3"),
      Option("--preset", .preset, "start from the definition of a preset"),
    ]

  static let rules = Option.alternatives([
    [
      Option(
        "--at-least", .other("N"), "what a day must add up to: 20pages, 5km, 3times; or 150min/week"
      ),
      Option("--at-most", .other("N"), "what a day must not exceed: 2cups, 1h; or 14drinks/week"),
    ],
    [Option("--any", nil, "any entry makes a good day")],
    [Option("--never", nil, "a day without an entry is good")],
    [
      Option(
        "--levels", .other("NAME:DRINKS,…"),
        "the last entry's level decides: calm:0-1,some:2-4,much:5-"),
      Option("--good", .other("NAME,…"), "the levels that make a good day"),
    ],
    [Option("--rule", .other("JSON"), "such as '{\"kind\":\"minutes\",\"atLeast\":2}'")],
  ])

  static let forgiving = Option.alternatives([
    [
      Option(
        "--jokers",
        .form(
          "EVERY/CAP",
          mustBe: "two numbers such as 7/3: one every 7 days (2 or more), at most 3 held"
        ) {
          DefinitionWord.jokers($0) != nil
        }, "earn a joker per EVERY days of a run, hold at most CAP: 7/3")
    ],
    [
      Option(
        "--grace",
        .form("DAYS", mustBe: "a number of days from \(Limits.grace.words)") {
          Int($0).map(Limits.grace.contains) ?? false
        }, "tolerate up to DAYS missed days in a row")
    ],
    [Option("--strict", nil, "nothing forgives a missed day")],
  ])

  static let fields =
    asking + [
      Option("--name", .text, "the name to show"), Option("--icon", .text, "a picture to show"),
      Option("--color", .text, "a colour to show"),
      Option("--group", .other("NAME"), "such as ritual, strength, cardio"),
      Option(
        "--streak", .choice(["on", "off"], name: "on|off"),
        "whether the habit has a streak (default: on)"),
      Option("--counts-from", .day, "ignore entries of earlier days"),
      Option("--milestones", .other("N,N…"), "run lengths worth celebrating; \"\" for none"),
      Option(
        "--xp", .other("JSON"),
        """
        for entries that reach their activity's threshold: \
        '{"base":15,"bonus":[{"km":5,"xp":10}]}'
        """
      ),
      Option(
        "--clear", .choice(DefinedHabit.clearable.map(\.field), name: "FIELD"),
        "remove a field, such as icon or schedule", repeatable: true),
    ]

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    try arguments.has("--retire") ? retireHabit(word(0)) : defineHabit(word(0))
    return .done
  }

  private func defineHabit(_ word: String) throws(Failure) {
    var habit = word
    var change: DefinitionChange?
    let options = WriteOptions(requiresDefinitions: true)
    let written = try writer.write(options) { (ledger) throws(Failure) in
      let (id, name) = try habitToDefine(word, in: ledger)
      habit = id
      let made = try DefinitionChange(of: id, named: name, in: ledger, invocation)
      change = made
      if arguments.has("--dry-run"), !isJSON { for line in made.lines { print(line) } }
      return made.drafts
    }

    let lines = change?.lines ?? []
    try printAnswer(of: written, change?.changes, unchanged: lines) { result, after, _ in
      if result.status == .recorded { return lines }
      let recorded = after.facts.definition(of: habit, by: result.id)
      let isSame = recorded?.source == after.facts.base(of: habit, on: result.day)?.source
      return [
        "\(habit) \(isSame ? "is" : "was changed since it was") defined from \(result.day) on"
      ]
    }
  }

  /// Returns the id of the habit that `word` means, and the name that a new habit gets.
  ///
  /// A word that can't be an id is the name, and the id is made of it as in imports: `Read a book`
  /// becomes `read_a_book`. Otherwise the name is `nil`.
  private func habitToDefine(
    _ word: String, in ledger: Ledger
  ) throws(Failure) -> (id: String, name: Text?) {
    if !HabitWord.ids(of: word, in: ledger).isEmpty {
      return (try words.habit(toRecord: word, in: ledger), nil)
    }
    if Syntax.isHabit(word) { return (word, nil) }

    let similar = ledger.facts.habits(named: Text(word))
    guard similar.count < 2, let id = similar.first ?? HabitName.id(word) else {
      throw .usage(
        "\(quoted(word)) cannot be a habit's id, which is \(Syntax.habit); "
          + "\(option: "--name") takes any text")
    }
    guard similar.isEmpty, ledger.facts.handle(of: id) != nil else { return (id, Text(word)) }
    throw .usage(
      """
      \(quoted(word)) would have the id \(id), which another habit has; give an id, and the name \
      with \(option: "--name")
      """)
  }

  private func retireHabit(_ word: String) throws(Failure) {
    var habit = word
    var retired: Day?
    let written = try writer.write { (ledger) throws(Failure) in
      habit = try words.habit(toRecord: word, in: ledger)
      retired = try existingRetirement(of: habit, in: ledger)
      if retired != nil { return [] }
      var draft = writer.draft(.habitRetired(habit: habit))
      draft.day = try words.dayToRecord("--on", in: ledger)
      return [draft]
    }

    let already = retired.map { ["\(habit) is retired already, after \($0)"] } ?? []
    try printAnswer(of: written, unchanged: already) { result, after, _ in
      var lines = ["\(habit) is retired after \(result.day)"]
      if result.day == after.today, after[habit]?.state.ifMissed == .breaks {
        lines.append(
          "  today still counts: log it, or the run ends; `--on yesterday` retires it before today")
      }
      return lines
    }
  }

  /// Returns the day of the retirement that `--retire` asks for, if the habit has it already.
  ///
  /// Otherwise returns `nil`. A different day in `--on` asks for a new retirement.
  private func existingRetirement(of habit: String, in ledger: Ledger) throws(Failure) -> Day? {
    guard !arguments.has("--id"), let today = ledger.today else { return nil }
    let day = try words.dayToRecord("--on", in: ledger)
    let retired = ledger.facts.retirement(of: habit, on: (day ?? today).next)
    return day == nil || day == retired ? retired : nil
  }
}
