package import StreakDomain

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

  /// The log as it is. What was folded before is only added to, if it can be.
  ///
  /// `isRead` is called with a stream that was read from its beginning.
  package mutating func current(
    mayBegin: Bool = false,
    isRead: (EventStream) throws(Failure) -> Void = { _ in }
  ) throws(Failure) -> FoldedLog {
    let kept = log
    log = nil
    if var kept, try kept.follow() { return kept }
    let stream = try EventStream(folder: folder, options: reading, mayBegin: mayBegin)
    let log = try FoldedLog(stream, writer: writer)
    try isRead(log.stream)
    return log
  }

  /// About how much memory the kept log takes: 0 where none is kept.
  package var bytes: Int {
    log.map { LiveLog.bytes(ofEvents: $0.fold.position) } ?? 0
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
    _ options: AppendOptions, wait: Double, mayBegin: Bool,
    random: any RandomNumberGenerator, _ decide: (inout Transaction) -> Void
  ) throws(Failure) -> [AppendResults] {
    let open = try LogWriter(
      folder: folder, writer: writer, wait: wait, makesFolder: mayBegin, on: reading.disk)
    return try write(under: open, options, mayBegin: mayBegin, random: random, decide)
  }

  /// Writes under a lock that is held already, to the segment of whoever holds it.
  package mutating func write(
    under open: borrowing LogWriter, _ options: AppendOptions, mayBegin: Bool,
    random: any RandomNumberGenerator, isRead: (EventStream) throws(Failure) -> Void = { _ in },
    _ decide: (inout Transaction) -> Void
  ) throws(Failure) -> [AppendResults] {
    do throws(Failure) {
      var log = try current(mayBegin: mayBegin, isRead: isRead)
      log.turn(to: open.writer)
      var transaction = Transaction(on: consume log, options: options, random: random)
      decide(&transaction)
      if let failure = transaction.failure { throw failure }
      try open.write(transaction.batch, known: transaction.known, head: transaction.log.head)
      if transaction.batch.isEmpty { open.discardFolder() }
      // What was written is read back when the log is followed the next time.
      if !transaction.log.stream.segments.isEmpty { keep(transaction.log) }
      return transaction.results
    } catch {
      open.discardFolder()
      throw error
    }
  }
}
