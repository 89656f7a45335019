import EventLog
import StreakDomain
import TimeZones

/// The candidates for completing a command line; the scripts of all shells run `streaks complete` for them.
struct Completion {
  typealias Candidate = (text: String, help: String)

  private let context: Context
  private let words: [String]
  private let current: String

  init(_ words: [String], context: Context) {
    (self.context, self.words, current) = (context, words.dropLast(), words.last ?? "")
  }

  var candidates: [Candidate] { all.filter { $0.text.begins(with: current) } }

  private var all: [Candidate] {
    let commands = context.commands.map { ($0.name, $0.summary) }
    guard let name = words.first else { return commands + [("help", "a command or a topic explained")] }
    if name == "help" { return words.count > 1 ? [] : commands + Topic.all.map { ($0.name, $0.summary) } }
    guard let command = context.commands.first(where: { $0.name == name }) else { return [] }
    let options = command.allOptions
    let positionals = positionals(options)
    if let last = words.last, let value = options.first(where: { $0.name == last })?.value {
      // In NAME=HABIT, only the imported file contains the names.
      if name == "import", last == "--habit", positionals.first != ImportKind.csv.rawValue { return [] }
      return last == "--withdraw" ? excuses : candidates(for: value)
    }
    if current.begins(with: "-") { return offered(options, kind: positionals.first) }
    let synopsis = command.words.words
    let repeated = synopsis.last.flatMap { $0.isRepeated ? $0.name : nil }
    let place = positionals.count
    switch (name, place < synopsis.count ? synopsis[place].name : repeated) {
    case (_, nil): return []
    case ("define", "HABIT"): return habits + presets
    case ("delete", "EVENT"): return entries
    case ("export", "WORDS"): return exportWords(after: positionals)
    case (_, "SHELL"), (_, "FORM"), (_, "KIND"): return plain(command.words.kinds)
    case (_, "COMMAND"): return commands
    case (_, "WHAT"): return habits + ids { _ in true }
    case (_, "PRESET"): return presets
    case (_, "MEASURE"): return measures
    case (_, "FROM"), (_, "TO"): return candidates(for: .day)
    case (_, let word?): return named(word)
    }
  }

  private func candidates(for value: Option.Value) -> [Candidate] {
    switch value {
    case .preset: presets
    case .segment:
      (try? EventStream(folder: folder))?.segments.map { ($0.string, "segment") } ?? []
    case .zone: plain(Zones.names.sorted())
    case .choice(let words, _), .other(_, let words): plain(words)
    default: named(value.name)
    }
  }

  private func named(_ name: String) -> [Candidate] {
    let today = name == "DAY" || name == "POINT" ? ledger?.today : nil
    let days = today.map { [($0.description, "today"), ($0.previous.description, "yesterday")] } ?? []
    switch name {
    case "HABIT": return habits
    case "EVENT": return ids { _ in true }
    case "POINT": return ids { _ in true } + [("end", "the newest event")] + days
    case "DAY": return days + plain(["today", "yesterday"])
    default: return []
    }
  }

  private func offered(_ options: [Option], kind: String?) -> [Candidate] {
    let given = options.filter { words.contains($0.name) }
    return options.filter { option in
      (option.isRepeatable || !words.contains(option.name))
        && (option.kinds.isEmpty || kind.map(option.kinds.contains) ?? true)
        && !given.contains { $0.excludes.contains(option.name) || option.excludes.contains($0.name) }
    }.map { ($0.name, $0.help) }
  }

  private func positionals(_ options: [Option]) -> [String] {
    var found: [String] = []
    var isValue = false
    for word in words.dropFirst() {
      let option = options.first { $0.name == word }
      if !isValue, option == nil, !word.begins(with: "-") { found.append(word) }
      isValue = !isValue && option?.value != nil
    }
    return found
  }

  private func exportWords(after given: [String]) -> [Candidate] {
    switch given.first.flatMap({ ExportForm(rawValue: $0) }) {
    case .csv where given.count == 1: plain(ExportTable.allCases.map(\.rawValue))
    case .csv: habits
    case .streakData where given.count == 1: habits
    case .streakData, .jsonSchema, nil: []
    }
  }

  private func plain(_ words: [String]) -> [Candidate] { words.map { ($0, "") } }

  private var presets: [Candidate] { Preset.allCases.map { ($0.rawValue, "preset") } }

  private var habits: [Candidate] { ledger?.states().map { ($0.habit, $0.name.string) } ?? [] }

  private var excuses: [Candidate] {
    ledger?.standingExcuses.map { ($0.id, DayText.span($0.days)) } ?? []
  }

  private var measures: [Candidate] {
    guard words.count > 1, let rule = ledger?.definition(of: words[1])?.rule else { return [] }
    return rule.answers.map { ($0.word.string, $0.kind) }
  }

  private var entries: [Candidate] {
    var deleted: Set<String> = []
    let entries = ids { event in
      if case .entryDeleted(let entry, _) = event.payload { deleted.insert(entry) }
      return event.payload.type == .entryLogged
    }
    return entries.filter { !deleted.contains($0.text) }
  }

  private func ids(_ isWanted: (Event) -> Bool) -> [Candidate] {
    var newest: [Candidate] = []
    var options = ReadingOptions()
    options.wantsEvents = true
    guard let stream = try? EventStream(folder: folder, options: options) else { return [] }
    var replay = Replay(stream)
    while let event = (try? replay.nextEvent()) ?? nil {
      guard isWanted(event) else { continue }
      newest.append((event.id, "\(event.payload.type.rawValue) \(event.day)"))
      if newest.count > 200 { newest.removeFirst(100) }
    }
    return newest.suffix(100).reversed()
  }

  private var folder: String {
    if let place = words.firstIndex(of: "--events"), place + 1 < words.count { return words[place + 1] }
    return context.environment["STREAKS_EVENTS"].flatMap { $0.isEmpty ? nil : $0 } ?? "events"
  }

  /// The ledger, or `nil` if it can't be read, because a completion can't report errors.
  private var ledger: Ledger? {
    guard let arguments = try? Arguments(["--events", folder], options: Command.common) else { return nil }
    var quiet = context
    quiet.errors = { _ in }
    return (try? Invocation(context: quiet, command: "complete", arguments: arguments).reader.load())?.ledger
  }
}
