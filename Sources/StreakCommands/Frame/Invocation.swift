import EventLog
package import StreakDomain

/// One run of one command: its world and its words.
package struct Invocation {
  package var context: Context
  let command: String
  package var arguments: Arguments
  /// Whether days, times, events and habits may be said as people do; a web request has the full forms only.
  var takesWords = true

  /// A run for another program, whose words are full forms.
  package init(_ context: Context, _ command: Command, _ arguments: Arguments) {
    self.init(context: context, command: command.name, arguments: arguments, takesWords: false)
  }

  init(context: Context, command: String, arguments: Arguments, takesWords: Bool = true) {
    (self.context, self.command, self.arguments) = (context, command, arguments)
    self.takesWords = takesWords
  }

  /// Begins with a ledger that was folded before, and reads no more of its segments than is in it.
  package mutating func begin(with ledger: Ledger, recorded: Instant?, ends: [Text: Int]) {
    context.reading.ends = ends
    let newest = ledger.position > 0 ? ledger.id(at: ledger.position) : nil
    context.inputs.ledger = ReadLedger(
      folder: folder, stored: LoadedLedger(ledger: ledger, event: newest, recorded: recorded))
  }

  /// How many events the ledger has that was shown.
  package var shownPosition: Int { context.inputs.shownPosition }

  /// Reads the ledger.
  package var reader: LedgerReader { LedgerReader(invocation: self) }

  /// Writes it.
  package var writer: LedgerWriter { LedgerWriter(invocation: self) }

  /// Reads days, times, events and habits as people say them.
  var words: LedgerWords { LedgerWords(invocation: self) }

  /// This invocation with other arguments.
  func with(_ arguments: Arguments) -> Invocation {
    var invocation = self
    invocation.arguments = arguments
    return invocation
  }

  /// The option of `define` of that name is the habit's colour.
  var style: Style { command == "define" ? context.style() : arguments.style(context) }

  var isJSON: Bool { arguments.has("--json") }

  /// Whether the command works on a copy in memory, and the log stays as it is.
  var isGuest: Bool { arguments.has("--guest") }

  /// Whether the log is read as if it were another.
  var hasWhatIfs: Bool { isGuest || arguments.has("--with") || arguments.has("--without") }

  var folder: String { arguments.value("--events") ?? variable("STREAKS_EVENTS") ?? "events" }

  /// An environment variable; an empty one is none.
  package func variable(_ name: String) -> String? {
    context.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  func print(_ line: String) { context.print(line) }

  /// Says on standard error what the reader should know beside the answer.
  ///
  /// Where an error would be a document, it waits until there is none.
  func warn(_ line: String) {
    if context.isQuiet { return }
    // Once, whoever notices it again.
    guard context.inputs.said.insert(line).inserted else { return }
    if context.wantsJSON { context.inputs.notes.append(line) } else { context.printError(line) }
  }

  /// The clock: `--now`, else the machine's; without an offset it is read in the ledger's zone.
  func now() throws(Failure) -> Instant {
    guard let text = arguments.value("--now") else { return context.now }
    if let time = Timestamp(text) { return time.instant }
    guard takesWords, TimeWord.needsZone(text) else {
      throw .usage("--now is \(quoted(text)); it must be \(takesWords ? TimeWord.form : Forms.at)")
    }
    if let known = context.inputs.now { return known }
    var invocation = with(arguments.with("--now", []))
    var ledger = Ledger()
    do throws(Failure) {
      ledger = try invocation.reader.whole().ledger
      invocation = invocation.with(invocation.arguments.with("--zone", []))
    } catch  where error.kind == .noLedger {
      // The first event of a ledger gives it its zone.
    }
    let (today, _) = try invocation.words.wordClock(ledger)
    let time = try invocation.words.time(named: text, by: "--now", on: today, in: ledger)
    context.inputs.now = time.instant
    return time.instant
  }

  /// Where a failure of the command is that is in no file.
  var place: Place { Place(file: command, line: 0, column: 0) }

  /// A text for the log.
  func text(_ option: String) -> Text? { arguments.value(option).map { Text($0) } }

  /// The nth positional word, which the command's synopsis asks for.
  func word(_ index: Int) -> String { arguments.positionals[index] }

  /// The word as one of the few that the synopsis lets through.
  func kind<Kind: RawRepresentable<String>>(at index: Int, of type: Kind.Type) throws(Failure) -> Kind {
    guard let kind = Kind(rawValue: word(index)) else {
      throw .usage("\(command) has no \(quoted(word(index)))")
    }
    return kind
  }
}
