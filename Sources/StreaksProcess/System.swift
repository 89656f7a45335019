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

// Outside the type, because members of the same names would hide these system calls.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
private func systemWrite(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, memory, count)
}
