import StreakDomain

extension ExpectedPage {
  func trend(of habit: String, _ year: [Day]) -> [String] {
    let asked = year.filter {
      ["good", "healed", "graced", "missed", "bad", "restarted"].contains(look(habit, $0))
    }
    func sums(_ part: String, _ name: (Day) -> String) -> String {
      let names = asked.map(name)
      let order = part == "weekday" ? ExpectedPage.weekdays : names
      let shown = order.reduce(into: [String]()) {
        if names.contains($1), !$0.contains($1) { $0.append($1) }
      }
      let bars = shown.map { bar in
        let days = asked.filter { name($0) == bar }
        return "\(bar) \(days.count { look(habit, $0) == "good" }) of \(days.count)"
      }
      let head =
        """
        Good days of \(self.name(of: habit)) in \(year[0].date.year) by \(part), of the days asked \
        for
        """
      return "\(head): \(bars.isEmpty ? "none" : bars.joined(separator: ", "))"
    }
    return [
      sums("week") { "Week \(week($0) + 1)" },
      sums("weekday") { ExpectedPage.weekdays[$0.weekdayNumber] },
      sums("month") { ExpectedPage.months[$0.date.month - 1] },
    ]
  }
}
