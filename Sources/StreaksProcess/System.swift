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
    // Unsafe only because the call fills memory, whose size it is given.
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
    // Unsafe only because the call reads memory, whose size it is given.
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

// Names that the methods of the same name would hide.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
private func systemWrite(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, memory, count)
}
