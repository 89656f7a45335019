/// What each event of a folder changes, as they are appended; see ``StreakFolder/changes(except:every:)``.
public struct StreakChanges: AsyncSequence, Sendable {
  let folder: StreakFolder
  let known: Set<String>
  let interval: Duration

  public func makeAsyncIterator() -> Iterator { Iterator(folder: folder, told: known, interval: interval) }

  /// Tells each event once, in the order of the stream as it stands when it is read.
  public struct Iterator: AsyncIteratorProtocol {
    private let folder: StreakFolder
    private let interval: Duration
    private var told: Set<String>
    /// The newest last, so that the next one is taken off the end.
    private var waiting: [StreakChange] = []
    private var read: [String] = []

    fileprivate init(folder: StreakFolder, told: Set<String>, interval: Duration) {
      self.folder = folder
      self.told = told
      self.interval = interval
    }

    /// Waits for the next event; nil once the task is cancelled.
    ///
    /// - Throws: `StreakError` where the log cannot be read.
    public mutating func next() async throws(StreakError) -> StreakChange? {
      while !Task.isCancelled {
        if let change = waiting.popLast() { return change }
        let sizes = try folder.sizes()
        if sizes == read {
          try? await Task.sleep(for: interval)
          continue
        }
        read = sizes
        let new = try folder.ledger().changes.filter { !told.contains($0.event) }
        told.formUnion(new.map(\.event))
        waiting = new.reversed()
      }
      return nil
    }
  }
}
