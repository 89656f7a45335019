import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The signals of Control-C (SIGINT) and SIGTERM, which set a flag that long-running commands check.
enum Interruption {
  /// The two ends of the signal handler's pipe, the one to read in the upper 32 bits; -1 before the first `prepare`.
  private static let pipe = Atomic<Int64>(-1)

  /// Waits for `milliseconds`; returns false at Control-C, which before the first call ends the process as usual.
  static func waits(milliseconds: Int32) -> Bool {
    prepare([SIGINT])
    return !wait(for: nil, milliseconds: milliseconds).isAsked
  }

  static func begin() { prepare([SIGINT, SIGTERM]) }

  static func isAsked(within milliseconds: Int32) -> Bool {
    wait(for: nil, milliseconds: milliseconds).isAsked
  }

  /// Waits for bytes or the end of standard input, or only checks for them if `waits` is false.
  ///
  /// From the first call on, the signals only make `isAsked` true, and writing to a closed pipe is an error.
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
    // The parent process may have blocked these signals in the thread that started this process.
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
    // Unsafe only because `poll` writes into the array, whose length is passed.
    while unsafe poll(&polled, nfds_t(polled.count), milliseconds) < 0, errno == EINTR {}
    return (polled[0].revents != 0, polled.count > 1 && polled[1].revents != 0)
  }
}

// Outside the type, because members of the same names would hide these system calls.
private func systemWrite(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, memory, count)
}
private func systemPipe(_ ends: UnsafeMutablePointer<Int32>) -> Int32 { unsafe pipe(ends) }
