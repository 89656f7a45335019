import EventLog
import Inspection
import StreakDomain

/// What a ledger came to at a point, as text that a later program or a changed history is compared with.
///
///     noalc 2025-10 ●●★●● run 5 +27@3 -26@3
struct Pin: Equatable {
  var fold = Ledger.foldVersion
  var position = 0
  var last: String?
  var today: Day?
  var months: [Month] = []
  var xp = 0
  var achievements: [String] = []
  var events = PinnedEvents()

  /// A habit's days of a month.
  struct Month: Equatable {
    let habit: String
    /// The first day that is folded.
    let start: Day
    var signs: [String] = []
    /// The run after the last of them.
    var run = 0
    var book: [Line] = []
  }

  /// A line of the joker book without what it was for.
  struct Line: Equatable {
    let action: JokerLine.Action
    let lot: Int?
    let day: Day

    /// `+27@14` earned, `-26@18` spent, `!3@9` taken, `o@21` forfeited.
    var text: String { "\(Line.signs[action] ?? "")\(lot.map { "\($0)" } ?? "")@\(day.date.day)" }

    fileprivate static let signs: [JokerLine.Action: String] = [
      .earned: "+", .spent: "-", .penalised: "!", .forfeited: "o",
    ]
  }

  init() {}

  /// Reads a ledger on its own today.
  init(_ ledger: Ledger, events: PinnedEvents) {
    position = ledger.position
    last = position == 0 ? nil : ledger.id(at: position)
    today = ledger.today
    xp = ledger.xp
    achievements = ledger.achievements().map(\.key).sorted { $0 < $1 }
    self.events = events
    for habit in ledger.definedHabits {
      for day in ledger.verdicts(of: habit, in: Day.first...Day.last) {
        if months.last?.habit != habit || months.last?.start.startOfMonth != day.day.startOfMonth {
          months.append(Month(habit: habit, start: day.day))
        }
        months[months.count - 1].signs.append(CalendarText.sign(day.verdict))
        months[months.count - 1].run = day.run
      }
      for line in ledger.jokerBook(of: habit) {
        guard
          let place = months.lastIndex(where: {
            $0.habit == habit && $0.start.startOfMonth == line.day.startOfMonth
          })
        else { continue }
        months[place].book.append(Line(action: line.action, lot: line.lot?.number, day: line.day))
      }
    }
  }

  /// The lines of the file.
  var lines: [String] {
    ["streaks-pin 1", "fold \(fold)"] + [
      "position \(position)", "last \(last ?? "-")",
    ]
      + ["today \(today.map { "\($0)" } ?? "-")", "events \(events.digest)", "xp \(xp)"]
      + achievements.map { "achievement \($0)" } + months.map(\.line) + events.lines
  }

  var json: JSON {
    .object([
      "format": .whole(1), "fold": .whole(fold), "position": .whole(position),
      "last": .text(last),
      "today": .day(today), "events": .text(events.digest), "xp": .whole(xp),
      "achievements": .texts(achievements),
      "months": .list(
        months.map { month in
          .object([
            "habit": .text(month.habit), "start": .day(month.start), "signs": .text(month.signs.joined()),
            "run": .whole(month.run), "book": .texts(month.book.map(\.text)),
          ])
        }),
    ])
  }
}

extension Pin.Month {
  /// Days before the habit's first are `_`.
  fileprivate var line: String {
    let front = String(repeating: "_", count: start.date.day - 1)
    return
      (["habit", habit, String(decoding: "\(start)".utf8.prefix(7), as: UTF8.self)]
      + [front + signs.joined(), "run", "\(run)"] + book.map(\.text)).joined(separator: " ")
  }

  fileprivate init?(_ words: [String]) {
    guard words.count >= 5, Forms.isHabit(words[0]), let month = Day(words[1] + "-01"), words[3] == "run",
      let run = Int(words[4])
    else { return nil }
    let signs = words[2].unicodeScalars.map { String(String.UnicodeScalarView([$0])) }
    let front = signs.firstIndex { $0 != "_" } ?? signs.count
    let known = Verdict.allCases.map { Text(CalendarText.sign($0)) }
    guard signs.count <= month.endOfMonth.date.day, front < signs.count,
      signs[front...].allSatisfy({ known.contains(Text($0)) })
    else { return nil }
    self.init(habit: words[0], start: month + front, signs: Array(signs[front...]), run: run)
    for word in words[5...] {
      guard let line = Pin.Line(word, in: month) else { return nil }
      book.append(line)
    }
  }
}

extension Pin.Line {
  fileprivate init?(_ word: String, in month: Day) {
    let parts = word.parts(at: "@").map(String.init)
    guard parts.count == 2, let day = Int(parts[1]), (1...month.endOfMonth.date.day).contains(day),
      let action = Pin.Line.signs.first(where: { parts[0].begins(with: $0.value) })?.key
    else { return nil }
    let number = String(parts[0].droppingBytes(1))
    let lot = Int(number)
    guard number.isEmpty ? action == .forfeited : lot != nil else { return nil }
    self.init(action: action, lot: lot, day: month + (day - 1))
  }
}

extension Pin {
  /// Reads the file; the number of the line that is none where it cannot.
  static func read(_ bytes: [UInt8]) -> Result<Pin, BadLine> {
    var pin = Pin()
    var known: Set<String> = []
    let lines = String(decoding: bytes, as: UTF8.self).parts(at: "\n").map(String.init)
    for (place, line) in lines.enumerated() where !line.isEmpty {
      let words = line.parts(at: " ").map(String.init)
      guard pin.take(words[0], Array(words.dropFirst()), isFirst: place == 0) else {
        return .failure(BadLine(number: place + 1))
      }
      known.insert(words[0])
    }
    let needed = ["streaks-pin", "fold", "position", "last", "today", "events", "xp"]
    let isWhole = needed.allSatisfy { known.contains($0) }
    return isWhole && pin.events.prints.count == pin.position
      ? .success(pin) : .failure(BadLine(number: lines.count))
  }

  struct BadLine: Error {
    let number: Int
  }

  private mutating func take(_ name: String, _ words: [String], isFirst: Bool) -> Bool {
    if isFirst { return name == "streaks-pin" && words == ["1"] }
    switch name {
    case "habit":
      guard let month = Month(words) else { return false }
      months.append(month)
      return true
    case "recorded": return events.take(words)
    default: break
    }
    guard words.count == 1 else { return false }
    let number = Int(words[0]).flatMap { $0 >= 0 ? $0 : nil }
    switch name {
    case "fold": fold = number ?? 0
    case "position": position = number ?? 0
    case "xp": xp = number ?? 0
    case "last": last = words[0] == "-" ? nil : words[0]
    case "today": today = Day(words[0])
    case "events": events.digest = words[0]
    case "achievement": achievements.append(words[0])
    default: return false
    }
    return ["fold", "position", "xp"].contains(name) ? number != nil : true
  }
}
