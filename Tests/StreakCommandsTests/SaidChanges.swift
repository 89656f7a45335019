import Foundation
import StreakDomain

/// The page's expected texts for one line of `timeline --json`.
struct SaidChanges {
  private let phrases: [(habit: String, words: [String])]
  let days: [String: Set<Day>]
  private let own: [String]

  private struct Line: Decodable {
    let changes: [Change]
    let verdicts: [Verdict]
    let achievements: Achievements

    struct Change: Decodable {
      let path: String
      let before: Value?
      let after: Value?
    }

    struct Verdict: Decodable {
      let habit: String
      let day: String
      let before: String?
      let after: String?
    }

    struct Achievements: Decodable {
      let unlocked: [String]
      let revoked: [String]
    }

    struct Value: Decodable {
      let number: Int?

      init(from decoder: any Decoder) throws {
        number = try? decoder.singleValueContainer().decode(Int.self)
      }
    }
  }

  init(_ line: String, habits: [String]) throws {
    let line = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
    func change(_ path: String) -> Line.Change? { line.changes.first { $0.path == path } }
    func step(_ change: Line.Change) -> String {
      "\(change.before?.number ?? 0) → \(change.after?.number ?? 0)"
    }
    let told = line.verdicts.filter {
      $0.before != nil || !["open", "excused", "rest"].contains($0.after)
    }
    days = Dictionary(grouping: told, by: \.habit).mapValues { Set($0.compactMap { Day($0.day) }) }
    phrases = habits.map { habit in
      if let status = change("\(habit).status"), status.before == nil {
        return (habit, ["is defined"])
      }
      let run = change("\(habit).current").map { "run " + step($0) }
      let longest = change("\(habit).longest").flatMap { change in
        change.before.map { _ in "longest \(change.after?.number ?? 0)" }
      }
      let held = change("\(habit).jokers.held").map { "jokers " + step($0) }
      let spans = SaidChanges.spans(told.filter { $0.habit == habit })
      return (habit, [run, longest, held].compactMap { $0 } + spans)
    }.filter { !$0.words.isEmpty }
    let xp = change("xp").map { "XP " + step($0) }
    own =
      [xp].compactMap { $0 } + line.achievements.unlocked.map { "new: \($0)" }
      + line.achievements.revoked.map { "gone: \($0)" }
  }

  /// Combines equal changes of consecutive days, as in `2025-10-18…2025-10-21 ★ healed → ○ missed`.
  ///
  /// More than three such spans become `5 days of 2025-10-01…2025-10-18 ○ missed`.
  private static func spans(_ verdicts: [Line.Verdict]) -> [String] {
    var spans: [(first: Day, last: Day, words: String)] = []
    for verdict in verdicts {
      guard let day = Day(verdict.day) else { continue }
      let parts = (verdict.before.map { [$0] } ?? []) + [verdict.after ?? "gone"]
      let words = parts.map { "\(ExpectedPage.signs[$0].map { $0 + " " } ?? "")\($0)" }.joined(
        separator: " → ")
      if let last = spans.last, last.last.next == day, last.words == words {
        spans[spans.count - 1].last = day
      } else {
        spans.append((day, day, words))
      }
    }
    return spans.compactMap { span in
      let alike = spans.filter { $0.words == span.words }
      guard alike.count > 3 else {
        return (span.first == span.last ? "\(span.first)" : "\(span.first)…\(span.last)")
          + " \(span.words)"
      }
      guard alike[0].first == span.first else { return nil }
      let count = alike.reduce(0) { $0 + ($1.last - $1.first) + 1 }
      return "\(count) days of \(span.first)…\(alike[alike.count - 1].last) \(span.words)"
    }
  }

  var habits: [String] { phrases.map(\.habit) }

  func lines(name: (String) -> String, achievement: (String) -> String) -> [String] {
    let own = own.map { words in
      let parts = words.components(separatedBy: ": ")
      return parts.count == 2 ? "\(parts[0]): \(achievement(parts[1]))" : words
    }
    return phrases.map { "\(name($0.habit)) \($0.words.joined(separator: ", "))" }
      + (own.isEmpty ? [] : [own.joined(separator: ", ")])
  }
}
