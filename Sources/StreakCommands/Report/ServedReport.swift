import Inspection
import StreakDomain

/// The report as the service shows it: a page with the newest steps that asks for the others later.
///
/// If the ledger is short, the page has every step at once.
struct ServedReport: ReportPart {
  let invocation: Invocation

  /// The number of newest events on a page that is loaded in pieces: ten habits make as many in
  /// about seven weeks.
  private static let newestEvents = 500

  func run() throws(Failure) -> ExitStatus {
    let report = ReportCommand(invocation: invocation)
    let position = try reader.load(.end).ledger.position
    guard position > 2 * ServedReport.newestEvents else { return try showAll(report) }

    let base = position - ServedReport.newestEvents
    var (recorder, ledger) = try report.recordHistory(from: base)
    // All of the newest events can be in one step, such as an import; then the page has every step.
    guard recorder.count > 1 else { return try showAll(report) }
    context.output(recorder.page(try report.settings(for: ledger, from: base)))
    return .done
  }

  private func showAll(_ report: ReportCommand) throws(Failure) -> ExitStatus {
    context.output(try report.completePage(isServed: true).page)
    return .done
  }
}

/// The data of the whole report as JSON Lines, for a page that has only the newest steps.
struct ReportSteps: ReportPart {
  let invocation: Invocation

  func run() throws(Failure) -> ExitStatus {
    let report = ReportCommand(invocation: invocation)
    var (recorder, ledger) = try report.recordHistory(from: 0)
    let chains = try report.pageChains(today: ledger.today)
    context.output(recorder.data(try report.settings(for: ledger, chains: chains)))
    return .done
  }
}

/// A part of the report that only the service asks for, with the options of `report`.
protocol ReportPart: Command {}

extension ReportPart {
  static var name: String { ReportCommand.name }
  static var group: CommandGroup { ReportCommand.group }
  static var words: Synopsis { ReportCommand.words }
  static var options: [Option] { ReportCommand.options }
  static var help: HelpText { ReportCommand.help }
}
