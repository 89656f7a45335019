import EventLog
import Inspection
package import StreakDomain

/// One run of a command: its arguments, its access to the outside world, and what it has read and
/// recorded.
package struct Invocation {
  let command: any Command.Type
  package var arguments: Arguments
  package var context: Context
  let session: Session
  /// Whether short forms such as `yesterday`, `8:00` or `@4848` are accepted, as people type them.
  var takesWords = true
  /// Whether the command works on a sample ledger if it has `--guest` and the folder has no events.
  var guestHasSample = true

  init(
    _ command: any Command.Type, _ arguments: Arguments, _ context: Context,
    session: Session = Session()
  ) {
    self.command = command
    self.arguments = arguments
    self.context = context
    self.session = session
  }

  /// Creates an invocation for another program, such as an HTTP client, which must use full forms
  /// of days and ids.
  package init(
    forOtherProgram command: any Command.Type, _ arguments: Arguments, _ context: Context
  ) {
    self.init(command, arguments, context)
    takesWords = false
  }

  /// Makes the command use the cached `ledger` instead of reading the log.
  ///
  /// If the command reads segments after all, it reads only their first bytes, as many as `ends`
  /// says.
  package mutating func begin(with ledger: Ledger, recorded: Instant?, ends: [Text: Int]) {
    context.reading.ends = ends
    let newest = ledger.position > 0 ? ledger.facts.id(at: ledger.position) : nil
    session.forgetLedger()
    session.noteLoaded(
      LoadedLedger(ledger: ledger, event: newest, recorded: recorded), isStored: true)
  }

  /// The position of the last event that the output includes.
  package var shownPosition: Int { session.shownPosition }

  package var reader: LedgerReader { LedgerReader(invocation: self) }

  package var writer: LedgerWriter { LedgerWriter(invocation: self) }

  var words: LedgerWords { LedgerWords(invocation: self) }

  func with(_ arguments: Arguments) -> Invocation {
    var invocation = self
    invocation.arguments = arguments
    return invocation
  }

  /// The colors of the output.
  var style: Style { command.hasOwnColor ? context.style() : arguments.style(context) }

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

  /// Prints a warning on standard error; with `--json`, prints the warning only after the command
  /// has succeeded.
  func warn(_ line: String) {
    if !context.isQuiet { session.warn(line, on: context) }
  }

  /// Returns the current time, or the time of `--now`, which is in the ledger's zone unless it has
  /// a UTC offset.
  func now() throws(Failure) -> Instant {
    guard let text = arguments.value("--now") else { return context.now }
    if let time = Timestamp(typed: text) { return time.instant }
    guard takesWords, TimeWord.needsZone(text) else {
      throw .usage("--now is \(quoted(text)); it must be \(takesWords ? TimeWord.form : Syntax.at)")
    }
    return try session.cached(\.typedNow) { () throws(Failure) in try instant(of: text) }
  }

  /// Returns the instant of `text`, a `--now` without a UTC offset.
  private func instant(of text: String) throws(Failure) -> Instant {
    var invocation = with(arguments.with("--now", []))
    var ledger = Ledger()
    do throws(Failure) {
      ledger = try invocation.reader.whole().ledger
      invocation = invocation.with(invocation.arguments.with("--zone", []))
    } catch  where error.kind == .noLedger {
      // There is no ledger yet, so `--zone` or this machine's time zone applies.
    }

    let today = try invocation.words.wordClock(ledger).today
    return try invocation.words.time(named: text, by: "--now", on: today, in: ledger).instant
  }
}
