#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Foundation

/// A program run to its end, with what the system says of this one child and no other.
struct Child {
  /// What it exited with; nil if a signal ended it.
  let status: Int32?
  /// The largest resident size that it had, in KiB; at least that of this process when it was started, which Linux
  /// counts in.
  let peakMemory: Int
  /// Seconds that it kept a core busy, in its own code and in the system's: what others do meanwhile hardly moves that.
  let processorTime: Double

  /// Runs a program without input, its output thrown away.
  init(_ path: String, _ arguments: [String]) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, flags) in [(0 as Int32, O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0)
    }
    let words = unsafe Child.texts([path] + arguments)
    let environment = unsafe Child.texts(ProcessInfo.processInfo.environment.map { "\($0)=\($1)" })
    defer { unsafe (words + environment).forEach { unsafe free($0) } }
    var process: pid_t = 0
    let failure = unsafe posix_spawn(&process, path, &actions, nil, words, environment)
    guard failure == 0 else { throw BenchError("cannot start \(path)") }
    var ended: Int32 = 0
    var usage = rusage()
    while unsafe wait4(process, &ended, 0, &usage) < 0 {
      guard errno == EINTR else { throw BenchError("\(path) is lost") }
    }
    status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : nil
    peakMemory = Int(usage.ru_maxrss)
    processorTime = [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
      sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
  }

  private static func texts(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }
}
