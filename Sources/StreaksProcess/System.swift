import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The system calls of the process, without Foundation, because loading Foundation takes longer than most commands run.
enum System {
  enum Stream: Int32 {
    case output = 1
    case errors = 2
  }

  /// Makes a write beyond the file size limit fail like any other write, instead of ending the process.
  static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// The environment variables; bytes that aren't valid UTF-8 are replaced by U+FFFD.
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe environ
    while let text = unsafe next.pointee {
      let variable = unsafe Array(String(cString: text).utf8)
      if let sign = variable.firstIndex(of: UInt8(ascii: "=")) {
        variables[String(decoding: variable[..<sign], as: UTF8.self)] =
          String(decoding: variable[(sign + 1)...], as: UTF8.self)
      }
      unsafe next += 1
    }
    return variables
  }

  static var microsecondsNow: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }

  /// Returns the next bytes of standard input, an empty array at the end, or `nil` if reading fails.
  static func read(upTo most: Int) -> [UInt8]? {
    var count = 0
    // Unsafe only because the call fills memory, whose size is passed.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      repeat {
        count = unsafe systemRead(STDIN_FILENO, buffer.baseAddress, most)
      } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    return count < 0 ? nil : bytes
  }

  static func write(_ bytes: [UInt8], to stream: Stream) -> Bool {
    // Unsafe only because the call reads memory, whose size is passed.
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer[...]
      while unsafe !rest.isEmpty {
        let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
        let count = unsafe systemWrite(stream.rawValue, part.baseAddress, part.count)
        guard count >= 0 || errno == EINTR else { return false }
        unsafe rest = unsafe rest.dropFirst(max(0, count))
      }
      return true
    }
  }

  static func isTerminal(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// The number of columns of the terminal, or `nil` if standard output isn't a terminal.
  static var terminalWidth: Int? {
    guard isTerminal(.output) else { return nil }
    var size = winsize()
    // Unsafe only because the call writes into the value, which lives until the call returns.
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  static func end(_ status: Int32) -> Never { exit(status) }
}

/// The signals of Control-C (SIGINT) and SIGTERM, which set a flag that long-running commands check.
enum Interruption {
  private static let isAsked = Atomic(false)
  private static let isPrepared = Atomic(false)

  /// Waits for `milliseconds`; returns false after a signal, or as soon as the program that reads the output has ended.
  ///
  /// Before the first call, Control-C ends the process as usual.
  static func waits(milliseconds: Int32) -> Bool {
    prepare([SIGINT])
    // Without an event to wait for, `poll` reports only errors, such as a pipe whose reader has ended.
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    let isClosed = unsafe poll(&output, 1, milliseconds) > 0
    return !isClosed && !isAsked.load(ordering: .relaxed)
  }

  static func begin() { prepare([SIGINT, SIGTERM]) }

  /// Waits for bytes or the end of standard input, or only checks for them if `waits` is false.
  ///
  /// From the first call on, the signals only make `isAsked` true, and writing to a closed pipe is an error.
  static func input(waits: Bool) -> (isAsked: Bool, isThere: Bool) {
    prepare([SIGINT, SIGTERM])
    signal(SIGPIPE, SIG_IGN)
    repeat {
      let isThere = !readable([STDIN_FILENO], milliseconds: waits ? 250 : 0).isEmpty
      let isAsked = isAsked.load(ordering: .relaxed)
      if isAsked || isThere { return (isAsked, isThere) }
    } while waits
    return (false, false)
  }

  /// Waits up to `milliseconds`, and returns the `descriptors` that can be read; a signal can end the wait early.
  static func readable(_ descriptors: [Int32], milliseconds: Int32) -> [Int32] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Unsafe only because `poll` writes into the array, whose length is passed.
    guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
    return polled.filter { $0.revents != 0 }.map(\.fd)
  }

  private static func prepare(_ signals: [Int32]) {
    guard !isPrepared.exchange(true, ordering: .relaxed) else { return }
    // The parent process may have blocked these signals in the thread that started this process.
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    for number in signals { _ = unsafe sigaddset(&set, number) }
    _ = unsafe sigprocmask(SIG_UNBLOCK, &set, nil)
    for number in signals { signal(number) { _ in Interruption.isAsked.store(true, ordering: .relaxed) } }
  }
}

// Outside the type, because members of the same names would hide these system calls.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
private func systemWrite(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, memory, count)
}
