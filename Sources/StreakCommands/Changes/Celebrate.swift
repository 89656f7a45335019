import EventLog
import Inspection
import StreakDomain

extension Command {
  static let celebrate = Command(
    name: "celebrate", group: .everyday, words: "",
    summary: "celebrations that were not shown yet",
    options: [
      json,
      Option("--seen", nil, "record them as shown, so that they are not shown again", excludes: ["--on"]),
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
    let isSeen = invocation.arguments.has("--seen")
    let ledger = try invocation.reader.loadToday().ledger
    let pending = ledger.celebrations()
    if isSeen, !pending.isEmpty {
      guard pending.count == 1 || !invocation.arguments.has("--id") else {
        throw .usage("--id goes with exactly one event, and there are \(pending.count) celebrations")
      }
      var drafts: [Draft] = []
      for celebration in pending {
        drafts.append(try invocation.writer.draft(.celebrationSeen(celebration: Text(celebration.key))))
      }
      guard try invocation.writer.write(drafts) != nil else { return .done }
    }
    if invocation.isJSON {
      let keys = JSON.texts(pending.map(\.key))
      invocation.print(JSON.object(["format": .whole(1), "celebrations": keys]).line)
    } else if pending.isEmpty {
      invocation.print("nothing to celebrate yet")
    } else {
      var plain = 0
      for celebration in pending {
        if case .completed? = CelebrationKey(celebration.key) { plain += 1 }
        let words = AchievementText.celebration(celebration, ledger)
        invocation.print(
          Escaping.visible("\(DayText.short(celebration.day, today: ledger.today))  \(words)"))
      }
      if !isSeen {
        invocation.print(
          "\(pending.count - plain) to celebrate, and \(counted(plain, "good day")) · "
            + "`streaks celebrate --seen` marks them as shown")
      }
    }
    return .done
  }
}
