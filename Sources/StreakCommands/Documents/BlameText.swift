import EventLog
import Replay
import StreakDomain

/// The chain behind a number for people: a line an event, the longest rows of like days folded with a count.
struct BlameText {
  private let document: BlameDocument
  private let invocation: Invocation

  /// How many lines there are at most.
  private static let most = 30

  /// Of the events that are shown, by their positions.
  private var words: [Int: String] = [:]
  private var folded: [Line] = []

  init(_ document: BlameDocument, _ invocation: Invocation) throws(CommandError) {
    self.document = document
    self.invocation = invocation
    folded = fold(document.links.map { Line.link($0) })
    let shown = folded.compactMap { if case .link(let link) = $0 { link.position } else { nil } }
    let text = EventWords(ledger: document.ledger)
    do throws(LogError) {
      try document.stream?.eachEvent(at: shown) { words[$0] = Escaping.visible(text.text(of: $1)) }
    } catch { throw .log(error) }
  }

  /// An event, or how many that were folded and the days they are of.
  private enum Line {
    case link(BlameDocument.Link)
    case folded(Int, ClosedRange<Day>)
  }

  var lines: [String] {
    let value = document.blame.value == .null ? "–" : document.blame.value.description
    let head =
      Escaping.visible("\(document.blame.field) = \(value)") + " at \(document.placed.position)"
      + (document.ledger.today.map { ", \($0)" } ?? "") + ", by \(counted(document.links.count, "event"))"
    return [invocation.style.paint(head, .bold)] + folded.map(text)
  }

  /// The lines of a page, each with the position that it leads to.
  var items: [(position: Int?, text: String)] {
    folded.map { line in
      switch line {
      case .folded(let count, let days): (nil, rest(count, days))
      case .link(let link): (link.position, "\(link.day) · \(words(of: link)) · \(means(link))")
      }
    }
  }

  private func rest(_ count: Int, _ days: ClosedRange<Day>) -> String {
    "\(count) more like these, \(DayWords.span(days))"
  }

  private func words(of link: BlameDocument.Link) -> String { words[link.position] ?? "" }

  private func text(_ line: Line) -> String {
    switch line {
    case .folded(let count, let days):
      return invocation.style.paint("       " + rest(count, days), .grey)
    case .link(let link):
      let event = document.ledger.id(at: link.position)
      let id = invocation.style.paint(Event.shortID(event), .grey)
      let front = Style.padded("\(link.position)", 6) + " \(link.day)  "
      return front + words(of: link) + "  " + id + "  " + means(link)
    }
  }

  /// What the event is to the number.
  private func means(_ link: BlameDocument.Link) -> String {
    switch link.role {
    case .opening: return "opened the ledger"
    case .definition: return "in force"
    case .retirement: return "ended it"
    case .excuse: return "excuses days"
    case .today: return "set today"
    case .day, .break:
      let verdict = link.verdict.map { "\($0.verdict.name), run \($0.run)" } ?? "counts"
      let lots = link.book.map { line -> String in
        guard let number = line.lot else { return "\(line.action.rawValue) a joker" }
        let lot = "\(link.habit ?? "")/\(number)"
        let use = document.spent[lot.spelling].map { ", which saved \($0)" } ?? ""
        return "\(line.action.rawValue) \(lot)" + (line.action == .earned ? use : "")
      }
      return ([link.role == .break ? "the break before: \(verdict)" : verdict] + lots).joined(separator: ", ")
    }
  }

  /// Whether nothing but a further day of a run is to be said of it.
  private func isPlain(_ link: BlameDocument.Link) -> Bool { link.role == .day && link.book.isEmpty }

  /// The lines, the longest rows of like events folded first until there are few enough.
  private func fold(_ lines: [Line]) -> [Line] {
    if invocation.arguments.has("--all") { return lines }
    let plain = fold(lines, where: isPlain)
    return fold(fold(plain) { $0.role == .day }) { _ in true }
  }

  /// Folds the longest rows of what may be folded, each without its first and last line, until there are few enough.
  private func fold(_ lines: [Line], where mayFold: (BlameDocument.Link) -> Bool) -> [Line] {
    var over = lines.count - BlameText.most
    guard over > 0 else { return lines }
    var rows: [Range<Int>] = []
    var start = 0
    for place in 0...lines.count {
      if place < lines.count, may(lines[place], be: mayFold) { continue }
      if place - start > 3 { rows.append(start + 1..<place - 1) }
      start = place + 1
    }
    rows.sort { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }
    var chosen: [Range<Int>] = []
    for row in rows where over > 0 {
      chosen.append(row)
      over -= row.count - 1
    }
    var folded: [Line] = []
    var place = 0
    for row in chosen.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      folded += lines[place..<row.lowerBound]
      if let line = summary(of: lines[row]) { folded.append(line) }
      place = row.upperBound
    }
    return folded + lines[place...]
  }

  private func may(_ line: Line, be mayFold: (BlameDocument.Link) -> Bool) -> Bool {
    switch line {
    case .link(let link): mayFold(link)
    case .folded: true
    }
  }

  private func summary(of lines: ArraySlice<Line>) -> Line? {
    var count = 0
    var days: ClosedRange<Day>?
    for line in lines {
      switch line {
      case .link(let link):
        count += 1
        days = days?.joined(link.day...link.day) ?? link.day...link.day
      case .folded(let more, let span):
        count += more
        days = days?.joined(span) ?? span
      }
    }
    return days.map { .folded(count, $0) }
  }
}
