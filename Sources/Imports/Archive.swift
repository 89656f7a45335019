import EventLog
import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A zip archive, which the system's `unzip` reads, because Swift's standard library has no
/// decompression.
struct Archive {
  private let path: String
  private let program: String
  /// The size of the archive in bytes.
  private let size: Int

  /// The maximum ratio of unpacked to packed size; the ratio of an export of the Health app is
  /// about 25.
  static let maximumRatio = 250
  /// The number of unpacked bytes that are allowed even for a very small archive.
  private static let smallLimit = 4 << 20

  /// Creates an archive; `searchPath` lists the folders in which to find `unzip`, as in PATH.
  init(_ path: String, searchPath: String) throws(Failure) {
    let candidates = searchPath.parts(at: ":").filter { !$0.isEmpty }.map { "\($0)/unzip" }
    guard let program = candidates.first(where: { unsafe access($0, X_OK) == 0 }) else {
      throw .noUnzip(archive: path)
    }
    self.path = path
    self.program = program
    do throws(SystemError) { size = try ForeignFile(path).size } catch { throw .notImported(error) }
  }

  func names() throws(Failure) -> [String] {
    let listing = try bytes(["-Z1", "/dev/stdin"], limit: Archive.smallLimit, path).all()
    let lines = String(decoding: listing, as: UTF8.self).parts(at: "\n")
    return lines.filter { !$0.isEmpty }.map(String.init)
  }

  func bytes(of name: String) throws(Failure) -> ByteSource {
    // unzip treats the name as a pattern. Non-ASCII characters may be encoded differently, so
    // wildcards replace them, and the other XML file of an export is excluded.
    let pattern = name.rewriting {
      !$0.isASCII || "#?[]*\\".unicodeScalars.contains($0) ? "*" : nil
    }
    let others = pattern.holds("*") && !name.ends(with: "_cda.xml") ? ["-x", "*_cda.xml"] : []
    // If a password is passed, even a wrong one, unzip doesn't ask for it.
    return try bytes(
      ["-p", "-P", "none", "/dev/stdin", pattern] + others,
      limit: max(Archive.smallLimit, size * Archive.maximumRatio),
      "\(path):\(name)")
  }

  /// Starts `unzip` and returns its output, at most `limit` bytes.
  ///
  /// unzip would interpret a path as a pattern or an option, so it reads the archive from standard
  /// input.
  private func bytes(_ words: [String], limit: Int, _ name: String) throws(Failure) -> ByteSource {
    let path = path
    let process = try Unzip(program, words, of: path)

    var count = 0
    return ByteSource(name) { () throws(Failure) in
      let piece = try process.read()
      count += piece.count
      guard count <= limit else {
        throw Failure(
          .refused,
          """
          \(quoted(path)) grows to more than \(Archive.maximumRatio) times its size, which no \
          genuine export does; nothing was imported
          """,
          remedy: "if you trust it, unpack it yourself and import what is in it")
      }

      // The status 1 is a warning.
      if piece.isEmpty, case let status = process.end(), status > 1 {
        throw .brokenArchive(archive: path, status: status)
      }
      return piece
    }
  }
}

/// A running `unzip` process, whose output is read through a pipe.
private final class Unzip {
  private var id: pid_t = 0
  /// The pipe with the output, or `nil` after the end.
  private var output: ForeignFile?

  init(_ program: String, _ words: [String], of archive: String) throws(Failure) {
    let file = unsafe open(archive, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .brokenArchive(archive: archive, status: 9) }
    defer { close(file) }

    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw .noUnzip(archive: archive) }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }

    // Standard input is the archive, standard output the pipe; messages are dropped.
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

    let words = unsafe ([program] + words).map { unsafe strdup($0) } + [nil]
    // The locale lets unzip print non-ASCII names unchanged.
    let environment = unsafe [strdup("LC_ALL=C.UTF-8"), nil]
    defer { unsafe (words + environment).forEach { unsafe free($0) } }

    guard unsafe posix_spawn(&id, program, &actions, nil, words, environment) == 0 else {
      close(ends[0])
      throw .noUnzip(archive: archive)
    }
    output = ForeignFile(pipe: ends[0], path: archive)
  }

  /// Ends the process if it still runs, because reading may stop before the end.
  deinit {
    // SIGKILL can't be blocked, and also ends a process that is waiting to write.
    if output != nil { kill(id, SIGKILL) }
    _ = end()
  }

  func read() throws(Failure) -> [UInt8] {
    do throws(SystemError) { return try output?.next() ?? [] } catch { throw .notImported(error) }
  }

  /// Waits for the process, and returns its exit status or signal.
  func end() -> Int32 {
    guard output != nil else { return 0 }
    output = nil
    var status: Int32 = 0
    while unsafe waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
  }
}
