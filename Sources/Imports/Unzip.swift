import EventLog
import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// One run of `unzip` and what it writes, piece by piece.
final class Unzip {
  private let program: String
  private let words: [String]
  private let archive: String
  private let isListing: Bool
  private let limit: Int
  private var count = 0
  private var process: (id: pid_t, output: Int32)?

  /// `words` are what is after the archive's name; there is an error once more than `limit` bytes are unpacked.
  init(_ program: String, _ options: [String], of archive: String, _ words: [String] = [], limit: Int) {
    self.program = program
    self.archive = archive
    isListing = options == ["-Z1"]
    self.limit = limit
    // A name would be read as a pattern or, beginning with a hyphen, as an option; the open file is neither.
    self.words = [program] + options + ["/dev/stdin"] + words
  }

  /// Whoever reads may stop before the end, at the first thing that is wrong.
  deinit { stop() }

  func source(_ name: String) -> ByteSource {
    var isStarted = false
    return ByteSource(name) { () throws(Failure) in
      if !isStarted { try self.start() }
      isStarted = true
      return try self.next()
    }
  }

  private func start() throws(Failure) {
    let file = unsafe open(archive, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .brokenArchive(archive: archive, status: 9) }
    defer { close(file) }
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw .noUnzip(archive: archive) }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, file, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let words = unsafe Unzip.texts(words)
    // Names beyond ASCII are printed as they are, whatever the person's own locale is.
    let environment = unsafe Unzip.texts(["LC_ALL=C.UTF-8"])
    defer { unsafe (words + environment).forEach { unsafe free($0) } }
    var id: pid_t = 0
    guard unsafe posix_spawn(&id, program, &actions, nil, words, environment) == 0 else {
      close(ends[0])
      throw .noUnzip(archive: archive)
    }
    process = (id, ends[0])
  }

  private static func texts(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    unsafe texts.map { unsafe strdup($0) } + [nil]
  }

  private func next() throws(Failure) -> [UInt8] {
    let piece = read()
    count += piece.count
    guard count <= limit else {
      stop()
      throw Failure(
        .refused,
        "\(quoted(archive)) grows to more than \(Archive.ratio) times its size, which no genuine export does; "
          + "nothing was imported",
        remedy: "if you trust it, unpack it yourself and import what is in it")
    }
    guard piece.isEmpty else { return piece }
    let status = end()
    // 1 is a warning: something odd that did not matter.
    guard status == 0 || status == 1 && !isListing else {
      throw .brokenArchive(archive: archive, status: status)
    }
    return []
  }

  /// What it has written, empty at the end.
  private func read() -> [UInt8] {
    guard let output = process?.output else { return [] }
    // Unsafe only because the call fills memory, whose size it is given.
    return unsafe [UInt8](unsafeUninitializedCapacity: 262_144) { buffer, count in
      var read = 0
      repeat {
        read = unsafe systemRead(output, buffer.baseAddress, buffer.count)
      } while read < 0 && errno == EINTR
      count = max(0, read)
    }
  }

  /// Waits for its end, and returns the status or the signal that it ended with.
  private func end() -> Int32 {
    guard let (id, output) = process else { return 0 }
    process = nil
    close(output)
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }

  private func stop() {
    // Not by a signal that could be blocked, and it may be waiting to write.
    if let id = process?.id { kill(id, SIGKILL) }
    _ = end()
  }
}

// A name that a method of the same name would hide.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
