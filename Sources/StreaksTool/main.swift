import Foundation
import StreakCommands
import StreakDomain

// Past a file size limit a write is to fail like any other, not to end the program.
signal(SIGXFSZ, SIG_IGN)
var hasRecorded = false
// Under this name it answers web requests, and whatever a server puts on the command line then is a stranger's.
let isWebProgram = CommandLine.arguments.first?.parts(at: "/").last == "streaks.cgi"
let arguments = isWebProgram ? ["cgi"] : Array(CommandLine.arguments.dropFirst())
var context = Context(
  arguments: arguments, environment: ProcessInfo.processInfo.environment,
  now: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)),
  machineZone: { TimeZone.current.identifier },
  input: {
    do { return Array(try FileHandle.standardInput.read(upToCount: 1 << 16) ?? Data()) } catch {
      fail("streaks: cannot read standard input", .notWritten)
    }
  },
  output: { text in
    // Unsafe only as the bytes must outlive the write, which they do here; a copy would be made of each.
    do { try unsafe text.withUnsafeBytes { try unsafe write($0, to: .standardOutput) } } catch {
      guard hasRecorded else { fail("streaks: cannot write the output", .notWritten) }
      // Done all the same: whoever tried again would record it twice.
      fail("streaks: recorded, and only the answer could not be printed; do not send it again", .done)
    }
  },
  errors: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) },
  isTerminal: isatty(STDOUT_FILENO) == 1, showsProgress: isatty(STDERR_FILENO) == 1,
  pause: { Interruption.waits(milliseconds: 250) },
  random: SystemRandomNumberGenerator())
context.recorded = { hasRecorded = true }
context.width = Terminal.width
#if os(Linux)
  context.program = "/proc/self/exe"
#else
  // Only a path tells which file it is; a bare name was looked for along PATH.
  context.program = CommandLine.arguments.first.flatMap { $0.holds("/") ? $0 : nil }
#endif
exit(Program.run(context).rawValue)

func write(_ bytes: UnsafeRawBufferPointer, to file: FileHandle) throws {
  guard let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress) else { return }
  try file.write(contentsOf: unsafe Data(bytesNoCopy: start, count: bytes.count, deallocator: .none))
}

func fail(_ says: String, _ status: ExitStatus) -> Never {
  try? FileHandle.standardError.write(contentsOf: Data((says + "\n").utf8))
  exit(status.rawValue)
}
