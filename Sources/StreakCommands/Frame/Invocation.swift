import EventLog
import Inspection
package import StreakDomain

package struct Invocation {
  package var context: Context
  let command: String
  package var arguments: Arguments
  /// Whether short forms such as `yesterday`, `8:00` or `@4848` are accepted, as people type them.
  var takesWords = true

  /// Makes the command use the cached `ledger`, and read only the first bytes of each segment.
  ///
  /// `ends` contains the number of bytes to read of each segment.
  package mutating func begin(with ledger: Ledger, recorded: Instant?, ends: [Text: Int]) {
    context.reading.ends = ends
    let newest = ledger.position > 0 ? ledger.facts.id(at: ledger.position) : nil
    context.inputs.ledger = ReadLedger(
      folder: folder, stored: LoadedLedger(ledger: ledger, event: newest, recorded: recorded))
  }

  package var shownPosition: Int { context.inputs.shownPosition }

  package var reader: LedgerReader { LedgerReader(invocation: self) }

  package var writer: LedgerWriter { LedgerWriter(invocation: self) }

  var words: LedgerWords { LedgerWords(invocation: self) }

  func with(_ arguments: Arguments) -> Invocation {
    var invocation = self
    invocation.arguments = arguments
    return invocation
  }

  /// The colors of the output.
  ///
  /// For `define`, the option `--color` is the habit's color, so the output has the default colors.
  var style: Style { command == "define" ? context.style() : arguments.style(context) }

  var isJSON: Bool { arguments.has("--json") }

  var isGuest: Bool { arguments.has("--guest") }

  var hasWhatIfs: Bool { isGuest || arguments.has("--without") }

  package var folder: String {
    arguments.value("--events") ?? variable("STREAKS_EVENTS") ?? "events"
  }

  /// Returns the value of an environment variable, or `nil` if it is missing or empty.
  package func variable(_ name: String) -> String? {
    context.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func print(_ line: String) { context.print(line) }

  func printJSON(_ members: JSONValue.Members) { print(JSONValue.document(members).json) }

  func printJSON(of document: some Encodable) { printJSON(JSONValue.Members(of: document)) }

  /// Prints a warning on standard error; with `--json`, prints the warning only after the command
  /// has succeeded.
  func warn(_ line: String) {
    if context.isQuiet { return }
    guard context.inputs.reportedWarnings.insert(line).inserted else { return }
    if context.wantsJSON {
      context.inputs.deferredWarnings.append(line)
    } else {
      context.printError(line)
    }
  }

  /// Returns the current time, or the time of `--now`, which is in the ledger's zone unless it has
  /// a UTC offset.
  func now() throws(Failure) -> Instant {
    guard let text = arguments.value("--now") else { return context.now }
    if let time = Timestamp(typed: text) { return time.instant }
    guard takesWords, TimeWord.needsZone(text) else {
      throw .usage("--now is \(quoted(text)); it must be \(takesWords ? TimeWord.form : Syntax.at)")
    }
    if let known = context.inputs.now { return known }
    var invocation = with(arguments.with("--now", []))
    var ledger = Ledger()
    do throws(Failure) {
      ledger = try invocation.reader.whole().ledger
      invocation = invocation.with(invocation.arguments.with("--zone", []))
    } catch  where error.kind == .noLedger {
      // There is no ledger yet, so `--zone` or this machine's time zone applies.
    }
    let (today, _) = try invocation.words.wordClock(ledger)
    let time = try invocation.words.time(named: text, by: "--now", on: today, in: ledger)
    context.inputs.now = time.instant
    return time.instant
  }

  func habits(named words: some Sequence<String>, in ledger: Ledger) throws(Failure) -> [String] {
    try words.map { (word) throws(Failure) in try self.words.habit(named: word, in: ledger) }
  }

  func text(_ option: String) -> Text? { arguments.value(option).map { Text($0) } }

  func word(_ index: Int) -> String { arguments.positionals[index] }

  func kind<Kind: RawRepresentable<String>>(at index: Int, of type: Kind.Type) throws(Failure)
    -> Kind
  {
    guard let kind = Kind(rawValue: word(index)) else {
      throw .usage("unknown \(quoted(word(index)))")
    }
    return kind
  }
}

extension Invocation {
  /// Creates an invocation for another program, such as an HTTP client, which must use full forms
  /// of days and ids.
  package init(_ context: Context, _ command: Command, _ arguments: Arguments) {
    self.init(context: context, command: command.name, arguments: arguments, takesWords: false)
  }
}
