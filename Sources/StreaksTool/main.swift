import Foundation
import StreakCommands
import StreakDomain

let arguments = Array(CommandLine.arguments.dropFirst())
let status = Program.run(
  Context(
    arguments: arguments, environment: ProcessInfo.processInfo.environment,
    now: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)),
    machineZone: { TimeZone.current.identifier },
    input: { Array(FileHandle.standardInput.availableData) },
    output: { FileHandle.standardOutput.write(Data($0.utf8)) },
    errors: { FileHandle.standardError.write(Data($0.utf8)) },
    isTerminal: isatty(STDOUT_FILENO) == 1, showsProgress: isatty(STDERR_FILENO) == 1,
    random: SystemRandomNumberGenerator()))
exit(status.rawValue)
