import Foundation
import StreakCommands
import StreakDomain

// Past a file size limit a write is to fail like any other, not to end the program.
signal(SIGXFSZ, SIG_IGN)
let arguments = Array(CommandLine.arguments.dropFirst())
let status = Program.run(
  Context(
    arguments: arguments, environment: ProcessInfo.processInfo.environment,
    now: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)),
    machineZone: { TimeZone.current.identifier },
    input: { Array(FileHandle.standardInput.availableData) },
    output: { text in
      do { try FileHandle.standardOutput.write(contentsOf: Data(text)) } catch {
        try? FileHandle.standardError.write(contentsOf: Data("streaks: cannot write the output\n".utf8))
        exit(ExitStatus.notWritten.rawValue)
      }
    },
    errors: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
    isTerminal: isatty(STDOUT_FILENO) == 1, showsProgress: isatty(STDERR_FILENO) == 1,
    pause: { Interruption.waits(milliseconds: 250) },
    random: SystemRandomNumberGenerator()))
exit(status.rawValue)
