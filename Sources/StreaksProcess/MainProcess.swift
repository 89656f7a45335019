import EventLog
import StreakCommands
import StreakDomain

/// The process in which the commands run: its arguments, environment, clock, streams and signals.
package enum MainProcess {
  /// Runs the command that the arguments specify, and ends the process.
  package static func run() -> Never {
    System.ignore(System.fileTooLarge)
    var unprinted = ("cannot write the output", ExitStatus.notWritten)
    var context = Self.context(
      Array(CommandLine.arguments.dropFirst()), System.environment
    ) {
      if !System.print($0, on: System.output) { fail("streaks: " + unprinted.0, unprinted.1) }
    }

    context.follow = follow
    context.beginFollowing = { Interruption.prepare() }
    context.isInterrupted = { Interruption.isAsked }
    context.recorded = {
      System.ignore(System.pipeClosed)
      unprinted = ($0, $1)
    }

    context.width = System.terminalWidth(of: System.output)
    context.errorWidth = System.terminalWidth(of: System.errors)
    context.inputSize = { System.inputSize }
    System.end(Program.run(context).rawValue)
  }

  /// Returns the next bytes of standard input, or reports its end or an interruption by a signal.
  ///
  /// If there are no bytes yet, it waits if `waits` is true, and returns `nothing` otherwise.
  private static func follow(waits: Bool) -> FollowedInput {
    Interruption.begin()
    while !Interruption.isAsked {
      if !Interruption.readable([0], milliseconds: waits ? 250 : 0).isEmpty {
        let piece = input(upTo: 1 << 20)
        return piece.isEmpty ? .end : .bytes(piece)
      }
      if !waits { return .nothing }
    }
    let isThere = !Interruption.readable([0], milliseconds: 0).isEmpty
    return .interrupted(leavesInput: isThere && !input(upTo: 1).isEmpty)
  }

  private static let commands = CommandList.all(with: ServeCommand.self)

  /// Returns the context of a command, or of a request to the service.
  static func context(
    _ words: [String], _ environment: [String: String], output: @escaping ([UInt8]) -> Void
  ) -> Context {
    var context = Context(now: Instant(microseconds: System.microsecondsNow))
    context.commands = commands
    context.arguments = words
    context.environment = environment
    context.machineZone = { () throws(Failure) in try Zones.ofMachine(environment) }
    context.machine = { Machine.current() }

    context.input = { input(upTo: 1 << 16) }
    context.output = output
    context.errors = { System.print(Array($0.utf8), on: System.errors) }
    context.isTerminal = System.isTerminal(System.output)
    context.isErrorTerminal = System.isTerminal(System.errors)
    context.pause = { Interruption.waits(milliseconds: 250) }
    context.clock = { Instant(microseconds: System.microsecondsNow) }
    return context
  }

  private static func input(upTo most: Int) -> [UInt8] {
    guard let piece = System.input(upTo: most) else {
      fail("streaks: cannot read standard input", .notWritten)
    }
    return piece
  }

  private static func fail(_ says: String, _ status: ExitStatus) -> Never {
    System.print(Array((says + "\n").utf8), on: System.errors)
    System.end(status.rawValue)
  }
}
