import EventLog
import Imports
import StreakDomain

extension ImportFile {
  init(
    _ path: String, _ context: Context, progress: @escaping (Int, Int) -> Void
  ) {
    let given = path == "-" ? ByteSource("-") { () throws(Failure) in context.input() } : nil
    self.init(
      path, bytes: given, searchPath: context.environment["PATH"] ?? "", progress: progress)
  }
}

extension ImportSource {
  init(_ kind: ImportKind, _ invocation: Invocation, _ ledger: Ledger) throws(Failure) {
    let arguments = invocation.arguments
    func id(of word: String) -> String { HabitWord.ids(of: word, in: ledger).first ?? word }
    var names = GivenNames()
    for word in arguments.all("--habit") {
      if let pair = HabitPair(word) {
        names.habits[Text(pair.name)] = id(of: pair.habit)
      } else {
        names.single = id(of: word.begins(with: "=") ? String(word.droppingBytes(1)) : word)
      }
    }
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
      settings.separator = arguments.value("--separator").flatMap(Arguments.separator)
      settings.hasHeader = arguments.has("--header") ? true : arguments.has("--no-header") ? false : nil
      settings.dialect.isDecimalComma = arguments.value("--decimal") == ","
      settings.dialect.dates = arguments.value("--date")
      settings.replaces = arguments.has("--replace")
      settings.names = names
      self = .csv(settings)
    case .loop: self = .loop(names)
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
