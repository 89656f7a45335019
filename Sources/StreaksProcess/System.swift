import StreakDomain
import StreakServer
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system calls of the process, without Foundation, because loading Foundation takes longer
/// than most commands run.
enum System {
  static let output = STDOUT_FILENO
  static let errors = STDERR_FILENO
  static let fileTooLarge = SIGXFSZ
  static let pipeClosed = SIGPIPE

  /// Ignores the signal `number`, so that a write fails with an error instead of killing the
  /// process.
  static func ignore(_ number: Int32) { signal(number, SIG_IGN) }

  /// The environment variables; bytes that aren't valid UTF-8 are replaced by U+FFFD.
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let text = unsafe next.pointee {
      let sides = unsafe String(cString: text).parts(at: "=", most: 2)
      if sides.count == 2 { variables[String(sides[0])] = String(sides[1]) }
      unsafe next += 1
    }
    return variables
  }

  static var microsecondsNow: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  static var processID: String { "\(getpid())" }

  /// The processor time and the memory that the process has used until now.
  static var usage: ProcessUsage {
    var system = rusage()
    // RUSAGE_SELF, which is 0, has another type on each system. Unsafe only because the call writes
    // into the value, which lives until the call returns.
    guard unsafe getrusage(0, &system) == 0 else { return (.zero, 0) }

    let time = duration(system.ru_utime) + duration(system.ru_stime)
    #if canImport(Darwin)
      return (time, system.ru_maxrss)
    #else
      return (time, system.ru_maxrss << 10)
    #endif
  }

  private static func duration(_ time: timeval) -> Duration {
    .seconds(Int(time.tv_sec)) + .microseconds(Int(time.tv_usec))
  }

  /// Returns a clock of the processor time of the calling thread, which any thread can read.
  static func threadClock() -> @Sendable () -> Duration {
    #if canImport(Darwin)
      let thread = pthread_mach_thread_np(pthread_self())
      return {
        var info = thread_basic_info()
        let words = MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size
        var count = mach_msg_type_number_t(words)

        // Unsafe only because the call fills the value, whose size is passed.
        let code = unsafe withUnsafeMutablePointer(to: &info) { pointer in
          unsafe pointer.withMemoryRebound(to: integer_t.self, capacity: words) {
            unsafe thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), $0, &count)
          }
        }

        guard code == KERN_SUCCESS else { return .zero }
        return [info.user_time, info.system_time].reduce(.zero) {
          $0 + .seconds(Int($1.seconds)) + .microseconds(Int($1.microseconds))
        }
      }
    #else
      var clock = clockid_t()
      let code = unsafe pthread_getcpuclockid(pthread_self(), &clock)

      return { [clock] in
        var time = timespec()
        guard code == 0, unsafe clock_gettime(clock, &time) == 0 else { return .zero }
        return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
      }
    #endif
  }

  /// Returns the next bytes of standard input, an empty array at the end, or `nil` if reading
  /// fails.
  static func input(upTo most: Int) -> [UInt8]? {
    var count = 0
    // Unsafe only because the call fills memory, whose size is passed.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      repeat {
        count = unsafe read(STDIN_FILENO, buffer.baseAddress, most)
      } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    return count < 0 ? nil : bytes
  }

  /// Writes all bytes; returns false if that fails.
  @discardableResult
  static func print(_ bytes: [UInt8], on stream: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // Unsafe only because the call reads memory, whose size is passed.
      let count = unsafe rest.withUnsafeBytes { unsafe write(stream, $0.baseAddress, $0.count) }
      guard count >= 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

  /// The size in bytes of the file that is standard input, or 0 if it isn't a file.
  static var inputSize: Int {
    var status = stat()
    // Unsafe only because the call writes into the value, which lives until the call returns.
    guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return 0
    }
    return Int(status.st_size)
  }

  /// Returns the number of columns of the terminal, or `nil` if `stream` isn't a terminal.
  static func terminalWidth(of stream: Int32) -> Int? {
    var size = winsize()
    // Unsafe only because the call writes into the value, which lives until the call returns.
    guard unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  static func end(_ status: Int32) -> Never { exit(status) }
}

/// The signals of Control-C (SIGINT) and SIGTERM, which set a flag that long-running commands
/// check.
enum Interruption {
  private static let flag = Atomic(false)

  /// True after a signal.
  static var isAsked: Bool { flag.load(ordering: .relaxed) }

  /// Waits for `milliseconds`; returns false after a signal, or as soon as the program that reads
  /// the output has ended.
  static func waits(milliseconds: Int32) -> Bool {
    prepare()
    // Without an event to wait for, `poll` reports only errors, such as a pipe whose reader has
    // ended.
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    let isClosed = unsafe poll(&output, 1, milliseconds) > 0
    return !isClosed && !isAsked
  }

  /// From now on, Control-C and SIGTERM only make `isAsked` true, and writing to a closed pipe is
  /// an error.
  static func begin() {
    prepare()
    System.ignore(SIGPIPE)
  }

  /// Waits up to `milliseconds`, and returns the `descriptors` that can be read; a signal can end
  /// the wait early.
  static func readable(_ descriptors: [Int32], milliseconds: Int32) -> [Int32] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Unsafe only because `poll` writes into the array, whose length is passed.
    guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
    return polled.filter { $0.revents != 0 }.map(\.fd)
  }

  /// From now on, Control-C and SIGTERM only make `isAsked` true; before, they end the process as
  /// usual.
  static func prepare() {
    let signals = [SIGINT, SIGTERM]
    // The parent process may have blocked these signals in the thread that started this process.
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    for number in signals { _ = unsafe sigaddset(&set, number) }
    _ = unsafe sigprocmask(SIG_UNBLOCK, &set, nil)
    for number in signals {
      signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
    }
  }
}
