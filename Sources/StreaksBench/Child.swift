#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import Foundation

/// A finished run of a program, with the time and the memory that the program used.
///
/// The program gets no input, and its output is discarded.
struct Child {
  /// The exit status, or `nil` if a signal ended the program.
  let status: Int32?
  /// The elapsed time in seconds.
  let time: Double
  /// The processor time in seconds, in the program and in the system calls that it made.
  let processorTime: Double
  /// The peak resident memory in KiB, which is at least the memory of this process when it started the program.
  let peakMemory: Int

  /// Runs the program `words[0]` to its end, with the other `words` as its arguments.
  ///
  /// Returns `nil` if the program isn't installed.
  init?(_ words: [String]) throws {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, flags) in [(0 as Int32, O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0)
    }
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    let lists = unsafe [words, environment].map { unsafe $0.map { unsafe strdup($0) } + [nil] }
    defer { unsafe lists.joined().forEach { unsafe free($0) } }
    let start = ContinuousClock.now
    var process: pid_t = 0
    let failure = unsafe posix_spawnp(&process, words[0], &actions, nil, lists[0], lists[1])
    if failure == ENOENT { return nil }
    guard failure == 0 else { throw BenchError(description: "cannot start \(words[0])") }
    var (ended, usage) = (Int32(0), rusage())
    while unsafe wait4(process, &ended, 0, &usage) < 0 {
      guard errno == EINTR else { throw BenchError(description: "\(words[0]) is lost") }
    }
    time = start.duration(to: .now) / .seconds(1)
    status = ended & 0x7F == 0 ? (ended >> 8) & 0xFF : nil
    processorTime = [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
      sum + Double(time.tv_sec) + Double(time.tv_usec) / 1e6
    }
    peakMemory = Int(usage.ru_maxrss)
  }
}
