import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The calls that the process makes on the system.
///
/// Foundation would make the same ones, and loading it takes longer than most commands run.
enum System {
  enum Stream: Int32 {
    case output = 1
    case errors = 2
  }

  /// Past a file size limit a write is to fail like any other, not to end the program.
  static func ignoreFileSizeSignal() { signal(SIGXFSZ, SIG_IGN) }

  /// What is no UTF-8 comes with U+FFFD in its place.
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

  /// The next piece of standard input, empty at its end; nil where it cannot be read.
  static func read(upTo most: Int) -> [UInt8]? {
    var count = 0
    // Unsafe only as the call fills memory, of which it is told the size.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      repeat {
        count = unsafe systemRead(STDIN_FILENO, buffer.baseAddress, most)
      } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    return count < 0 ? nil : bytes
  }

  /// Writes all of it; false where that fails.
  static func write(_ bytes: [UInt8], to stream: Stream) -> Bool {
    // Unsafe only as the call reads memory, of which it is told the size.
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

  /// How many columns the terminal has; nil where standard output is none.
  static var terminalWidth: Int? {
    guard isTerminal(.output) else { return nil }
    var size = winsize()
    // Unsafe only as the call writes into the value, which lives until it returns.
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// A path of the file that is running.
  static var executable: String {
    #if canImport(Darwin)
      var size: UInt32 = 4096
      var bytes = [CChar](repeating: 0, count: Int(size))
      guard unsafe _NSGetExecutablePath(&bytes, &size) == 0 else { return "" }
      return String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return "/proc/self/exe"
    #endif
  }

  /// Puts another program in the place of this one, with the same words and variables; returns where that fails.
  static func become(_ path: String) {
    unsafe execv(path, CommandLine.unsafeArgv)
  }

  static func end(_ status: Int32) -> Never { exit(status) }
}

/// Control-C or a signal to end, taken as a wish: who stays stops between two looks or groups, and not within one.
enum Interruption {
  /// A pipe into which a signal puts a byte, so that none is missed between a look and a wait.
  private static let pipe = Atomic<Int64>(-1)

  /// Waits; false as soon as the user has asked to end with Control-C.
  ///
  /// Before the first wait Control-C ends a command as ever.
  static func waits(milliseconds: Int32) -> Bool {
    prepare([SIGINT])
    return !wait(for: nil, milliseconds: milliseconds).isAsked
  }

  /// Waits for standard input, or only looks; Control-C and a signal to end are a wish from the first look on, and a
  /// closed pipe is a failed write.
  static func input(waits: Bool) -> (isAsked: Bool, isThere: Bool) {
    prepare([SIGINT, SIGTERM])
    signal(SIGPIPE, SIG_IGN)
    return wait(for: STDIN_FILENO, milliseconds: waits ? -1 : 0)
  }

  private static func prepare(_ signals: [Int32]) {
    guard pipe.load(ordering: .relaxed) < 0 else { return }
    var ends: [Int32] = [0, 0]
    guard unsafe systemPipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    pipe.store(Int64(ends[0]) << 32 | Int64(ends[1]), ordering: .relaxed)
    // Whoever started the process may have done so on a thread that has them blocked.
    var set = sigset_t()
    _ = unsafe sigemptyset(&set)
    for number in signals { _ = unsafe sigaddset(&set, number) }
    _ = unsafe sigprocmask(SIG_UNBLOCK, &set, nil)
    for number in signals {
      signal(number) { _ in
        var byte: UInt8 = 1
        _ = unsafe systemWrite(
          Int32(truncatingIfNeeded: Interruption.pipe.load(ordering: .relaxed)), &byte, 1)
      }
    }
  }

  private static func wait(for stream: Int32?, milliseconds: Int32) -> (isAsked: Bool, isThere: Bool) {
    let asked = Int32(truncatingIfNeeded: pipe.load(ordering: .relaxed) >> 32)
    var polled = [pollfd(fd: asked, events: Int16(POLLIN), revents: 0)]
    if let stream { polled.append(pollfd(fd: stream, events: Int16(POLLIN), revents: 0)) }
    // Unsafe only as the call writes into the list, of which it is told the length.
    while unsafe poll(&polled, nfds_t(polled.count), milliseconds) < 0, errno == EINTR {}
    return (polled[0].revents != 0, polled.count > 1 && polled[1].revents != 0)
  }
}

// Names that the methods of the same name would hide.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
private func systemWrite(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, memory, count)
}
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
