import EventLog
import Inspection
package import StreakDomain

/// A command of the program, such as `streaks delete`: its name, its options, its help, and what it
/// does.
///
///     struct DayCommand: Command {
///       static let name = "day"
///       …
///       let invocation: Invocation
///
///       func run() throws(Failure) -> ExitStatus { … }
///     }
///
/// A command's file begins with the type; `CommandList` has the list of all commands.
package protocol Command: SendableMetatype {
  /// The name on the command line, such as `delete`.
  static var name: String { get }
  /// The part of `streaks help --all` that lists the command.
  static var group: CommandGroup { get }
  /// The synopsis of the positional arguments, such as `HABIT [MEASURE…]`; by default there are
  /// none.
  static var words: Synopsis { get }
  /// The command's own options.
  static var options: [Option] { get }
  /// The text of the command's help.
  static var help: HelpText { get }
  /// Whether the command accepts the common options, such as `--events`, besides `--help` and its
  /// own options.
  static var takesCommonOptions: Bool { get }
  /// Whether the command has an option `--color` of its own.
  ///
  /// It then says nothing about the colors of the output.
  static var hasOwnColor: Bool { get }
  /// Whether the output is text for people, whose long lines are wrapped.
  ///
  /// Documents, tables and scripts aren't wrapped.
  static func isForPeople(_ arguments: Arguments) -> Bool

  /// The arguments of the command, and its access to the outside world.
  var invocation: Invocation { get }

  init(invocation: Invocation)

  /// Does what the arguments ask for, whose form has been checked.
  func run() throws(Failure) -> ExitStatus
}

extension Command {
  package static var words: Synopsis { "" }
  package static var takesCommonOptions: Bool { true }
  package static var hasOwnColor: Bool { false }
  package static func isForPeople(_ arguments: Arguments) -> Bool { !arguments.has("--json") }

  /// The command's own options and the common options.
  ///
  /// If both have an option of the same name, only the command's own option is included.
  package static var allOptions: [Option] {
    let common = takesCommonOptions ? Option.common : [Option.help]
    let options = options
    return options + common.filter { option in !options.contains { $0.name == option.name } }
  }

  /// Checks the arguments of `invocation`, and runs the command.
  package static func run(_ invocation: Invocation) throws(Failure) -> ExitStatus {
    try words.check(invocation.arguments, of: name)
    try invocation.arguments.check(allOptions)
    return try Self(invocation: invocation).run()
  }
}

/// The parts of the invocation under the short names that the code of commands uses.
extension Command {
  var arguments: Arguments { invocation.arguments }
  var context: Context { invocation.context }
  var folder: String { invocation.folder }
  var reader: LedgerReader { invocation.reader }
  var writer: LedgerWriter { invocation.writer }
  var words: LedgerWords { invocation.words }
  var style: Style { invocation.style }
  var isJSON: Bool { invocation.isJSON }
  var isGuest: Bool { invocation.isGuest }

  /// Returns the positional argument at `index`, which the synopsis requires.
  func word(_ index: Int) -> String { arguments.positionals[index] }

  func text(_ option: String) -> Text? { arguments.value(option).map { Text($0) } }

  /// Returns the positional argument at `index` as a case of `type`.
  func kind<Kind: RawRepresentable<String>>(
    at index: Int, of type: Kind.Type
  ) throws(Failure) -> Kind {
    guard let kind = Kind(rawValue: word(index)) else {
      throw .usage("unknown \(quoted(word(index)))")
    }
    return kind
  }

  func now() throws(Failure) -> Instant { try invocation.now() }

  func print(_ line: String) { context.print(line) }

  func printJSON(_ members: JSONValue.Members) { context.printJSON(members) }

  func printJSON(of document: some Encodable, omitsNil: Bool = false) {
    context.printJSON(JSONValue.Members(of: document, omitsNil: omitsNil))
  }

  func warn(_ line: String) { invocation.warn(line) }

  /// Prints on standard error that a list is empty, because scripts count the lines of standard
  /// output.
  func reportEmpty(_ line: String) { warn(line) }
}

/// The parts of `streaks help --all` with their titles, in their order.
package enum CommandGroup: String, CaseIterable, Sendable {
  case everyday = "Every day"
  case habits = "Make habits and change them"
  case lookBack = "A number looks wrong, or may soon: start with `why`"
  case check = "Check the ledger"
  case exchange = "Take data in and out"
  case scripts = "For scripts and servers"
  case developers = "For developers and other programs"
}
