import EventLog
import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

final class Unzip {
  private let program: String
  private let words: [String]
  private let archive: String
  private let isListing: Bool
  private let limit: Int
  private var count = 0
  private var process: (id: pid_t, output: Int32)?

  /// Creates a run of `unzip`, not yet started, with `words` after the archive and at most `limit` bytes of output.
  init(_ program: String, _ options: [String], of archive: String, _ words: [String] = [], limit: Int) {
    self.program = program
    self.archive = archive
    isListing = options == ["-Z1"]
    self.limit = limit
    // unzip would interpret a path as a pattern or an option, so it reads the archive from standard input.
    self.words = [program] + options + ["/dev/stdin"] + words
  }

  /// Ends the process if it still runs, because reading may stop before the end.
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
    // The locale lets unzip print non-ASCII names unchanged.
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
    // The status 1 is a warning that can be ignored, except for a listing.
    guard status == 0 || status == 1 && !isListing else {
      throw .brokenArchive(archive: archive, status: status)
    }
    return []
  }

  private func read() -> [UInt8] {
    guard let output = process?.output else { return [] }
    return unsafe [UInt8](unsafeUninitializedCapacity: 262_144) { buffer, count in
      var read = 0
      repeat {
        read = unsafe systemRead(output, buffer.baseAddress, buffer.count)
      } while read < 0 && errno == EINTR
      count = max(0, read)
    }
  }

  private func end() -> Int32 {
    guard let (id, output) = process else { return 0 }
    process = nil
    close(output)
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }

  private func stop() {
    // SIGKILL can't be blocked, and also ends a process that is waiting to write.
    if let id = process?.id { kill(id, SIGKILL) }
    _ = end()
  }
}

// Outside the type, because the method `read` would hide the system call.
private func systemRead(_ descriptor: Int32, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int) -> Int {
  unsafe read(descriptor, memory, count)
}
