import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Control-C or a signal to end: they set a flag, which whoever stays checks between two looks or groups.
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

  /// From here on Control-C and a signal to end only set the flag that `isAsked` reads.
  static func begin() { prepare([SIGINT, SIGTERM]) }

  /// Waits; whether the process was asked to end since `begin`.
  static func isAsked(within milliseconds: Int32) -> Bool {
    wait(for: nil, milliseconds: milliseconds).isAsked
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
    // Unsafe only because the call writes into the list, whose length it is given.
    while unsafe poll(&polled, nfds_t(polled.count), milliseconds) < 0, errno == EINTR {}
    return (polled[0].revents != 0, polled.count > 1 && polled[1].revents != 0)
  }
}

// Names that the methods of the same name would hide.
private func systemWrite(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, memory, count)
}
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
