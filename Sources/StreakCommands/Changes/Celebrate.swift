import EventLog
import Inspection
import StreakDomain

/// The command that lists the celebrations that are not marked as seen.
struct CelebrateCommand: Command {
  static let name = "celebrate"
  static let group = CommandGroup.everyday
  static let options: [Option] =
    [
      .json,
      Option(
        "--seen", nil, "mark them as seen, so that they are not listed again",
        excludes: ["--on"]),
      .on,
    ] + Option.writing(with: "--seen")
  static let help = HelpText(PackageResources.celebrate_txt)

  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    try celebrate()
    return .done
  }

  private func celebrate() throws(Failure) {
    let ledger = try reader.loadToday().ledger
    let pending = Celebrations(of: ledger).unseen()
    if arguments.has("--seen"), !pending.isEmpty || arguments.has("--dry-run") {
      let drafts = pending.map {
        writer.draft(.celebrationSeen(celebration: Text($0.key)))
      }
      guard try writer.write(makingOf: { _ in Drafts(drafts) }) != nil else { return }
    }

    if isJSON { return printJSON(of: CelebrationList(pending)) }
    guard !pending.isEmpty else { return reportEmpty("nothing to celebrate yet") }
    for celebration in pending {
      let words = AchievementText.celebration(celebration.key, ledger)
      print(Escaping.visible("\(DayText.short(celebration.day, today: ledger.today))  \(words)"))
    }
    if !arguments.has("--seen") { print("`streaks celebrate --seen` marks them as seen") }
  }
}
