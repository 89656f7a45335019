import EventLog
import Inspection
import StreakDomain

extension Command {
  static let celebrate = Command(
    name: "celebrate", group: .everyday, words: "",
    summary: "celebrations that were not shown yet",
    options: [
      json,
      Option(
        "--seen", nil,
        """
        record them as shown, so that they are not shown again
        """, excludes: ["--on"]),
      on,
    ] + writing(with: "--seen"),
    details: ["  streaks celebrate --seen"],
    example: Example(
      line: "streaks celebrate",
      answer: [
        "11-14  🎉 🌅 Morning ritual: a run of 7 days",
        "11-16  🎉 🔥 Active day: a run of 14 days",
        "11-16  🎉 🎮 Chess puzzle: a run of 3 days",
        "…",
      ])
  ) { invocation throws(Failure) in
    try invocation.celebrate()
    return .done
  }
}

extension Invocation {
  fileprivate func celebrate() throws(Failure) {
    let ledger = try reader.loadToday().ledger
    let pending = Celebrations(of: ledger).unseen()
    if arguments.has("--seen"), !pending.isEmpty {
      let drafts = try pending.map { (celebration) throws(Failure) in
        try writer.draft(.celebrationSeen(celebration: Text(celebration.key)))
      }
      guard try writer.write(makingOf: { _ in Drafts(drafts) }) != nil else { return }
    }
    if isJSON { return printJSON(["celebrations": .texts(pending.map(\.key))]) }
    guard !pending.isEmpty else { return print("nothing to celebrate yet") }
    for celebration in pending {
      let words = AchievementText.celebration(celebration.key, ledger)
      print(Escaping.visible("\(DayText.short(celebration.day, today: ledger.today))  \(words)"))
    }
    if !arguments.has("--seen") { print("`streaks celebrate --seen` marks them as shown") }
  }
}
