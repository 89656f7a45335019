/// The examples of the commands that an auditor needs.
extension Example {
  static let auditing: [String: Example] = [
    "audit": Example(
      line: "streaks audit noalc",
      answer: [
        "🍀 NoAlc  earned 32 = held 3 + spent 29 + penalised 0, forfeited 23",
        "  2024-09-26  earned     noalc/1    held 1  easy, 3 drinks …6146b9",
        "  2024-09-26  spent      noalc/1    held 0  easy, 3 drinks …6146b9",
        "  2024-10-03  earned     noalc/2    held 1  steady …36d094",
        "…",
      ]),
    "matrix": Example(
      line: "streaks matrix noalc --days 2025-10-20..2025-10-26 --known 4847,4848",
      answer: [
        "🍀 NoAlc  2025-10-20 to 2025-10-26",
        "",
        "      2025-10",
        "      2 2 2 2 2 2 2",
        "      0 1 2 3 4 5 6",
        "4847  ● ★ ★ ● ● ● ●",
        "4848  ● ★!✗ ● ● ● ●",
        "",
        "● good   ★ healed   ✗ bad",
      ]),
    "pin": Example(
      line: "streaks pin --at 2024-09-30",
      answer: [
        "streaks-pin 1",
        "fold 1",
        "…",
      ]),
    "redact": Example(
      line: "streaks redact @4848 --writer phone",
      answer: [
        "took out of …c366d7, entry.deleted of 2025-11-04: reason (34 bytes)",
        "backups, exports, reports and other devices are not searched",
      ]),
    "blame": Example(
      line: "streaks blame noalc.lastGood",
      answer: [
        "noalc.lastGood = 2025-11-19 at 5148, 2025-11-20, by 6 events",
        "1      2024-09-20  ledger opened  …a503db  opened the ledger",
        "3      2024-09-20  defined noalc  …80aaf3  in force",
        "4198   2025-10-01  ledger opened, days begin at 04:00  …92be9a  opened the ledger",
        "5115   2025-11-18  noalc steady  …72be60  good, run 27",
        "…",
      ]),
    "backtest": Example(
      line: "streaks backtest gym --schedule 2/week",
      answer: [
        "🏋️ Gym",
        "  schedule  3/week → 2/week",
        "",
        "                  real  tested",
        "good                35      35",
        "healed               3       0",
        "rest                40      43",
        "current run         38      35",
        "…",
      ]),
  ]
}
