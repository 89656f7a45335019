package import StreakDomain

/// Commands that are written together, so that they share one sync: one batch on the disk (event-format.md,
/// "Batches").
package struct Group {
  private var appender: Appender
  private var decided: [AppendResults] = []
  /// What kept a command from being decided at all, so that the group cannot be written.
  package private(set) var failure: Failure?

  init(on log: consuming FoldedLog, options: AppendOptions, random: any RandomNumberGenerator) {
    appender = Appender(on: log, options: options, random: random)
  }

  /// Decides a command on the state after those before it; one that is refused leaves nothing.
  ///
  /// - Returns: its place among the results.
  package mutating func add(_ command: [Draft], _ options: AppendOptions) throws(Failure) -> Int {
    // A copy of the state is only made where a part of the command may be decided before it is refused.
    let before = appender.isSimple(command, options) ? nil : appender
    let count = appender.batch.count
    do throws(Failure) {
      decided.append(try appender.decide(Drafts(command), options))
    } catch {
      if let before { appender = before } else { appender.keep(first: count) }
      if [.system, .vanished, .notWritten].contains(error.kind) { failure = failure ?? error }
      throw error
    }
    if appender.batch.count > count {
      appender.endCommand()
      // Of one draft it is the last event; of more an id given again says which.
      if command.count == 1 { appender.places[appender.ledgers.position] = command[0].place }
    }
    return decided.count - 1
  }

  /// The results of the commands that were decided, by their places.
  var results: [AppendResults] { decided.map { $0.of(appender.ledgers) } }

  /// How many events there are with the commands decided so far.
  package var position: Int { appender.ledgers.position }

  var batch: BatchLines { appender.batch }
  var known: [String: Int] { appender.known }
  /// The log with the commands decided so far.
  package var log: FoldedLog { appender.log }
}

/// A ledger that stays folded between the groups that are written to it, and follows what others append.
package struct LiveLog {
  package let folder: String
  package let writer: String
  private let reading: ReadingOptions
  private var log: FoldedLog?

  package init(folder: String, writer: String, reading: ReadingOptions) {
    self.folder = folder
    self.writer = writer
    self.reading = reading
  }

  /// The log as it is, folded for these subjects; what was folded before is only added to, if it can be.
  ///
  /// `isRead` is called with a stream that was read from its beginning.
  package mutating func current(
    of subjects: Set<String?>, mayBegin: Bool = false,
    isRead: (EventStream) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> FoldedLog {
    let kept = log
    log = nil
    if var kept, kept.folds(subjects), try kept.follow() { return kept }
    let stream = try EventStream(folder: folder, options: reading, mayBegin: mayBegin)
    let log = try FoldedLog(stream, of: subjects, writer: writer)
    try isRead(log.stream)
    return log
  }

  /// About how much memory the kept log takes: 0 where none is kept.
  package var bytes: Int {
    log.map { LiveLog.bytes(ofEvents: $0.ledgers.position) } ?? 0
  }

  /// About how much memory it takes to keep so many events folded.
  package static func bytes(ofEvents count: Int) -> Int { (1 << 16) + 256 * count }

  /// How many files the kept log keeps open.
  package var files: Int { log?.stream.segments.count ?? 0 }

  /// Keeps a log that was read, for the next caller.
  package mutating func keep(_ log: consuming FoldedLog) { self.log = log }

  /// Forgets what was read.
  package mutating func forget() { log = nil }

  /// Writes commands as one group under the lock, with one sync.
  ///
  /// - Returns: the results of those that `decide` added, in order.
  /// - Throws: what is wrong with all of them; `notWritten` where nothing was written, `unknownOutcome` where that is
  ///   not known.
  package mutating func write(
    of subjects: Set<String?>, _ options: AppendOptions, wait: Double, mayBegin: Bool,
    random: any RandomNumberGenerator, _ decide: (inout Group) -> Void
  ) throws(Failure) -> [AppendResults] {
    let open = try OpenLog(
      folder: folder, writer: writer, wait: wait, makesFolder: mayBegin, on: reading.disk)
    return try write(under: open, of: subjects, options, mayBegin: mayBegin, random: random, decide)
  }

  /// Writes under a lock that is held already, which is that of this writer's segment.
  package mutating func write(
    under open: borrowing OpenLog, of subjects: Set<String?>, _ options: AppendOptions, mayBegin: Bool,
    random: any RandomNumberGenerator, isRead: (EventStream) throws(Failure) -> Void = { _ in },
    _ decide: (inout Group) -> Void
  ) throws(Failure) -> [AppendResults] {
    do throws(Failure) {
      var group = Group(
        on: try current(of: subjects, mayBegin: mayBegin, isRead: isRead), options: options,
        random: random)
      decide(&group)
      if let failure = group.failure { throw failure }
      try open.write(group.batch, known: group.known, head: group.log.head)
      if group.batch.isEmpty { open.discardFolder() }
      // What was written is read back when the log is followed the next time.
      if !group.log.stream.segments.isEmpty { keep(group.log) }
      return group.results
    } catch {
      open.discardFolder()
      throw error
    }
  }
}
