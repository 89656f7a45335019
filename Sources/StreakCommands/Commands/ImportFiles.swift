import EventLog
import Imports
import StreakDomain

extension ImportFile {
  init(
    _ path: String, _ context: Context, _ readsHealth: HealthContents.Reader?,
    progress: @escaping (Int, Int) -> Void
  ) {
    let given = path == "-" ? ByteSource("-") { () throws(Failure) in context.input() } : nil
    self.init(
      path, bytes: given, searchPath: context.environment["PATH"] ?? "", readsHealth: readsHealth,
      progress: progress)
  }
}

extension Context {
  func healthReader() throws(Failure) -> HealthContents.Reader {
    switch health {
    case .this(let reader): return reader
    case .other(let start):
      throw Failure(
        .noProgram,
        "exports of the Health app are read by streaks-health, which is not at \(quoted(start()))",
        remedy: "put it there, beside streaks")
    }
  }
}

extension ImportSource {
  init(_ kind: ImportKind, _ invocation: Invocation, _ ledger: Ledger) throws(Failure) {
    let arguments = invocation.arguments
    func id(of word: String) -> String { HabitWord.ids(of: word, in: ledger).first ?? word }
    switch kind {
    case .appleHealth:
      var mapping = HealthMapping()
      if let map = arguments.value("--map") {
        mapping = try HealthMapping(try ByteSource(file: map).all(), file: map)
      }
      var selection = HealthImport.Selection()
      selection.sources = arguments.all("--source")
      selection.types = arguments.all("--type").map { Text($0) }
      self = .appleHealth(mapping, selection)
    case .csv:
      var settings = CSVImport.Settings()
      settings.columns = arguments.value("--columns").map { $0.parts(at: ",").map { String($0) } }
      settings.separator = arguments.separator
      settings.hasHeader = arguments.has("--header") ? true : arguments.has("--no-header") ? false : nil
      self = .csv(habit: id(of: arguments.value("--habit") ?? ""), settings)
    case .loop:
      var names: [Text: String] = [:]
      for pair in arguments.all("--habit").compactMap({ TrackerPair($0) }) {
        names[Text(pair.name)] = id(of: pair.habit)
      }
      self = .loop(names)
    }
  }
}

struct ImportProgress {
  private let context: Context
  private var shown = 0

  init(context: Context) { self.context = context }

  mutating func note(_ bytes: Int, _ records: Int) {
    guard context.showsProgress, bytes - shown >= context.progressStep else { return }
    shown = bytes
    context.errors("\r\(bytes / 1_000_000) MB, \(records) records")
  }

  func finish() {
    if shown > 0 { context.errors("\r\u{1B}[K") }
  }
}
