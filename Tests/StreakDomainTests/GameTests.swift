import DomainFixtures
import StreakDomain
import Testing

struct GameTests {
  @Test(arguments: [
    ("CCC", "ggg", 3, 3), ("CC.", "gg?", 2, 2), ("CC..", "ggm?", 0, 2), ("CC.C", "ggmg", 1, 2),
    ("CCC..C", "gggmmg", 1, 3), ("CCF", "ggb", 0, 2), ("CCFC", "ggbg", 1, 2), ("CCR", "ggn", 1, 2),
    ("CCRC", "ggng", 2, 2), ("F", "b", 0, 0), ("F.", "b?", 0, 0), ("R", "n", 1, 1),
  ])
  func `only completed games on days in a row make a run`(
    days: String, verdicts: String, current: Int, best: Int
  ) {
    let history = History(Preset.game.definition, days)
    #expect(history.verdicts == verdicts)
    #expect(history.state?.current == current)
    #expect(history.state?.best == best)
    #expect(history.state?.longest == best)
  }

  @Test(
    arguments: [("CC", .done), ("CC.", .due), ("CC..", .broken), ("CCF", .broken)]
      as [(String, HabitState.Status)])
  func `a game is active only if it was completed today or yesterday`(
    days: String, status: HabitState.Status
  ) {
    #expect(History(Preset.game.definition, days).state?.status == status)
  }

  @Test func `a run starts on its first day, on the day of a restart, and nowhere once it is broken`() {
    #expect(History(Preset.game.definition, "C.CC").state?.start == Histories.day(3))
    #expect(History(Preset.game.definition, "CCRC").state?.start == Histories.day(3))
    #expect(History(Preset.game.definition, "CCF").state?.start == nil)
  }

  @Test(arguments: [
    ([true, true, true], "good"), ([false, true], "restarted"), ([true, false], "failed"),
    ([true, false, true], "restarted"), ([false, false], "failed"),
  ])
  func `several games of a day are one day: the last decides, and a failed one before it starts anew`(
    games: [Bool], outcome: String
  ) {
    var history = Histories("game C.")
    for (index, isCompleted) in games.enumerated() {
      var entry = Entry(habit: "game")
      entry.completed = isCompleted
      history.add(.entryLogged(entry), on: 2, id: "play-\(index)")
    }
    #expect(history.ledger.verdicts(of: "game", in: Day.first...Day.last).last?.outcome == Text(outcome))
    #expect(history.state("game")?.current == (outcome == "good" ? 2 : outcome == "restarted" ? 1 : 0))
    #expect(history.state("game")?.totals.played == 1 + games.count)
    #expect(history.state("game")?.totals.completed == 1 + games.count { $0 })
  }

  @Test func `each game has a run of its own`() {
    let games = Histories(
      """
      chess:game  CCCC
      zip:game    CCFC
      """)
    #expect(games.state("chess")?.current == 4)
    #expect(games.state("zip")?.current == 1)
  }

  @Test func `taking a game back tells the run anew, up to today`() {
    var games = Histories("chess:game CCCCC")
    games.add(.entryDeleted(entry: "chess-3", reason: nil), on: 5)
    #expect(games.verdicts("chess") == "ggmgg")
    #expect(games.state("chess")?.current == 2)
    #expect(games.state("chess")?.best == 2)
    #expect(games.state("chess")?.longest == 5)
    #expect(games.state("chess")?.totals.played == 4)
    games.add(.entryDeleted(entry: "chess-5", reason: nil), on: 5)
    games.add(.entryDeleted(entry: "chess-4", reason: nil), on: 5)
    #expect(games.state("chess")?.status == .broken)
  }
}
