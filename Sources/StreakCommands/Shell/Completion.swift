import EventLog
import Imports
import StreakDomain

/// What may come next on a command line, each with a word on what it is.
struct Completion {
  typealias Candidate = (text: String, help: String)

  private let context: Context
  /// The words before the one under way.
  private let words: [String]
  private let current: String

  /// Completes the last word of a command line, the program's name left out.
  init(_ words: [String], context: Context) {
    self.context = context
    self.words = words.dropLast()
    current = words.last ?? ""
  }

  /// The candidates that begin with what is there already; none where a file or free text may come.
  var candidates: [Candidate] { all.filter { $0.text.begins(with: current) } }

  private var all: [Candidate] {
    guard let name = words.first else {
      return context.commands.map { ($0.name, $0.summary) } + [("help", "a command or a topic explained")]
    }
    if name == "help" {
      return words.count > 1
        ? [] : context.commands.map { ($0.name, $0.summary) } + Topic.all.map { ($0.name, $0.summary) }
    }
    guard let command = context.commands.first(where: { $0.name == name }) else { return [] }
    let options = command.allOptions
    if let last = words.last, let option = options.first(where: { $0.name == last }), let value = option.value
    {
      return values(of: value, of: option.name, command)
    }
    if current.begins(with: "-") {
      let kind = positionals(options).first
      return options.filter { $0.isRepeatable || !words.contains($0.name) }
        .filter { option in option.kinds.isEmpty || kind.map(option.kinds.contains) ?? true }
        .filter { option in !option.excludes.contains(where: words.contains) }
        .filter { option in !options.contains { words.contains($0.name) && $0.excludes.contains(option.name) }
        }
        .map { ($0.name, $0.help) }
    }
    guard let kind = kind(ofPositional: positionals(options).count, in: command) else { return [] }
    return values(of: kind, command)
  }

  /// The positional words so far, those of options left out.
  private func positionals(_ options: [Option]) -> [String] {
    var found: [String] = []
    var isValue = false
    for word in words.dropFirst() {
      if isValue {
        isValue = false
      } else if let option = options.first(where: { $0.name == word }) {
        isValue = option.value != nil
      } else if !word.begins(with: "-") {
        found.append(word)
      }
    }
    return found
  }

  /// What the nth word of a command is, as its help calls it.
  private func kind(ofPositional index: Int, in command: Command) -> String? {
    let words = command.words.words
    return index < words.count ? words[index].name : words.last.flatMap { $0.isRepeated ? $0.name : nil }
  }

  /// What an option takes.
  private func values(of value: Option.Value, of option: String, _ command: Command) -> [Candidate] {
    switch value {
    // Trackers take NAME=HABIT, and only their file knows the NAME.
    case .habit where command.name == "import":
      return positionals(command.options + Command.common).first == ImportKind.csv.rawValue ? habits : []
    case .habit: return habits
    case .preset: return presets
    case .segment: return segments
    case .event where option == "--withdraw":
      return ledger?.standingExcuses.map { ($0.id, DayText.span($0.days)) } ?? []
    case .event: return ids
    case .point: return points
    case .day: return dayWords
    case .zone: return Zones.all.map { ($0, "") }
    case .choice(let words, _): return words.map { ($0, "") }
    case .other("SEGMENT", _): return shortSegments
    case .other(_, let words): return words.map { ($0, "") }
    case .month, .year, .time, .id, .predicate, .text, .file, .folder, .count, .form: return []
    }
  }

  /// What a word takes, by what its command calls it.
  private func values(of kind: String, _ command: Command) -> [Candidate] {
    let given = positionals(command.options + Command.common)
    switch kind {
    case "HABIT" where command.name == "define": return habits + presets
    case "HABIT": return habits
    case "WHAT": return habits + ids
    case "PRESET": return presets
    case "MEASURE": return measures
    case "EVENT" where command.name == "delete":
      var deleted: Set<String> = []
      let entries = ids { event in
        if case .entryDeleted(let entry, _) = event.payload { deleted.insert(entry) }
        return event.payload.type == .entryLogged
      }
      return entries.filter { !deleted.contains($0.text) }
    case "EVENT": return ids
    case "POINT": return points
    case "DAY", "FROM", "TO": return dayWords
    case "SHELL", "FORM": return command.words.kinds.map { ($0, "") }
    case "COMMAND": return context.commands.map { ($0.name, $0.summary) }
    case "KIND": return ImportKind.allCases.map { ($0.rawValue, $0.summary) }
    case "WORDS": return exportWords(after: given)
    default: return []
    }
  }

  /// What `export` takes after its form.
  private func exportWords(after given: [String]) -> [Candidate] {
    switch given.first.flatMap({ ExportForm(rawValue: $0) }) {
    case .csv where given.count == 1: return ExportTable.allCases.map { ($0.rawValue, "table") }
    case .csv: return habits
    case .svg where given.count == 1, .streakData where given.count == 1: return habits
    case .svg, .streakData, .jsonSchema, nil: return []
    }
  }

  private var points: [Candidate] { ids + [("end", "the newest event")] + days }

  private var dayWords: [Candidate] { days + [("today", ""), ("yesterday", "")] }

  private var presets: [Candidate] { Preset.allCases.map { ($0.rawValue, "preset") } }

  private var habits: [Candidate] {
    ledger?.states().map { ($0.habit, $0.name.string) } ?? []
  }

  /// What `log` takes for the habit before: its levels, or completed and failed.
  private var measures: [Candidate] {
    guard words.count > 1, let rule = ledger?.definition(of: words[1])?.rule else { return [] }
    return rule.answers.map { ($0.word.string, $0.kind) }
  }

  private var days: [Candidate] {
    guard let today = ledger?.today else { return [] }
    return [(today.description, "today"), (today.previous.description, "yesterday")]
  }

  private var segments: [Candidate] {
    (try? EventStream(folder: folder))?.segments.map { ($0.string, "segment") } ?? []
  }

  private var ids: [Candidate] { ids { _ in true } }

  /// Segments with missing lines: those that `verify --accept` takes.
  private var shortSegments: [Candidate] {
    guard var stream = try? EventStream(folder: folder) else { return [] }
    var names = SymbolTable()
    var item = StreamItem()
    while (try? stream.next(&item, names: &names)) == true {}
    return ((try? stream.shortSegments()) ?? []).map { ($0.name.string, "segment") }
  }

  /// The newest events that are wanted, the latest first.
  private func ids(_ isWanted: (Event) -> Bool) -> [Candidate] {
    var newest: [Candidate] = []
    guard let stream = try? EventStream(folder: folder, options: inFull) else { return [] }
    var events = StoredEvents(stream: stream)
    while let event = (try? events.next()) ?? nil {
      guard isWanted(event) else { continue }
      newest.append((event.id, "\(event.payload.type.rawValue) \(event.day)"))
      if newest.count > 200 { newest.removeFirst(100) }
    }
    return newest.suffix(100).reversed()
  }

  private var inFull: ReadingOptions {
    var options = ReadingOptions()
    options.wantsEvents = true
    return options
  }

  private var folder: String {
    if let place = words.firstIndex(of: "--events"), place + 1 < words.count { return words[place + 1] }
    return context.environment["STREAKS_EVENTS"].flatMap { $0.isEmpty ? nil : $0 } ?? "events"
  }

  /// The ledger as it is; nil where it cannot be read, because a completion is no place for errors.
  private var ledger: Ledger? {
    guard let arguments = try? Arguments(["--events", folder], options: Command.common) else { return nil }
    var quiet = context
    quiet.errors = { _ in }
    return (try? Invocation(context: quiet, command: "complete", arguments: arguments).reader.load())?.ledger
  }
}
