import EventLog
import StreakCommands
import StreakDomain
import StreakServer
import TimeZones

/// The process in which the commands run: its arguments, environment, clock, streams and signals.
package enum MainProcess {
  /// Runs the command that the arguments specify, and ends the process.
  package static func run() -> Never {
    System.ignoreFileSizeSignal()
    var hasRecorded = false
    var context = Self.context(
      Array(CommandLine.arguments.dropFirst()), System.environment,
      output: { text in
        guard !System.write(text, to: .output) else { return }
        guard hasRecorded else { fail("streaks: cannot write the output", .notWritten) }
        // The exit status is that of success, because a retry would record the events twice.
        fail("streaks: recorded, and only the answer could not be printed; do not send it again", .done)
      })
    context.follow = { waits in
      let (isAsked, isThere) = Interruption.input(waits: waits)
      if isAsked { return .interrupted(leavesInput: isThere && System.read(upTo: 1)?.isEmpty == false) }
      guard isThere else { return .nothing }
      guard let piece = System.read(upTo: 1 << 20) else {
        fail("streaks: cannot read standard input", .notWritten)
      }
      return piece.isEmpty ? .end : .bytes(piece)
    }
    context.recorded = { hasRecorded = true }
    context.width = System.terminalWidth
    System.end(Program.run(context).rawValue)
  }

  private static let commands = Command.all(
    with: .serve { server, place, greeting in
      let environment = System.environment
      return SocketServer.run(server, place, greeting: greeting) {
        context([], environment, output: { _ in })
      }
    })

  private static func context(
    _ words: [String], _ environment: [String: String], output: @escaping ([UInt8]) -> Void
  ) -> Context {
    var context = Context(
      commands: commands, arguments: words, environment: environment,
      now: Instant(microseconds: System.microsecondsNow),
      machineZone: { Zones.ofMachine(environment) },
      input: {
        guard let piece = System.read(upTo: 1 << 16) else {
          fail("streaks: cannot read standard input", .notWritten)
        }
        return piece
      },
      output: output, errors: { _ = System.write(Array($0.utf8), to: .errors) },
      isTerminal: System.isTerminal(.output), showsProgress: System.isTerminal(.errors),
      pause: { Interruption.waits(milliseconds: 250) }, random: SystemRandomNumberGenerator())
    context.machine = { Machine.current() }
    context.clock = { Instant(microseconds: System.microsecondsNow) }
    return context
  }

  private static func fail(_ says: String, _ status: ExitStatus) -> Never {
    _ = System.write(Array((says + "\n").utf8), to: .errors)
    System.end(status.rawValue)
  }
}
