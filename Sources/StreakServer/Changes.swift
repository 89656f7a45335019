import EventLog
import Inspection
import StreakCommands
import StreakDomain

extension Service {
  /// Sends the events of each new step to the connection until it is closed.
  ///
  /// Returns the number of bytes sent. Throws only before anything has been sent.
  ///
  /// Whenever a segment has changed, the ledger is folded again from the log. So nothing is stored
  /// for listeners, and no text is sent that was redacted meanwhile.
  func listen() throws(Problem) -> Int {
    var point = FeedPoint(cursor: try startCursor())
    // The head is the first thing that is sent.
    var sent = 0
    do throws(Failure) {
      var read: [Text: FileStamp]?
      var last = ContinuousClock.now
      repeat {
        let stamps = try EventStream(folder: invocation.folder, options: invocation.context.reading)
          .stamps
        var messages: [UInt8] = []
        if stamps != read {
          let hasMore = try server.slots.work(
            on: exchange, readsHistory: true, refusal: sent > 0 ? nil : refusal
          ) { () throws(Failure) in try add(&messages, after: &point) }
          read = hasMore ? nil : stamps
        } else if last.duration(to: .now) >= server.limits.quiet {
          messages = Array(": still there\n\n".utf8)
        }

        if sent == 0 { messages = Service.changesHead + messages }
        if messages.isEmpty { continue }
        guard exchange.connection.write(messages) else { return sent }
        sent += messages.count
        if request.method == "HEAD" { return sent }
        last = .now
      } while exchange.connection.staysOpen(for: read == nil ? .zero : .milliseconds(200))
    } catch {
      guard sent == 0 else { return sent }
      guard error.kind == .refused else { throw Problem(error) }
      throw Problem(
        status: .contentTooLarge,
        "\(error.says); ask for /v1/state, and listen without a cursor")
    }
    return sent
  }

  /// Adds the events after `point` to `messages`, and moves `point`.
  ///
  /// Returns whether there are more events.
  ///
  /// If `point` has no cursor, it becomes the end of the log. The client gets it as an id, and
  /// misses nothing if the connection is lost before the first event. Only the last event of a step
  /// has an id, so a client that reconnects inside a step gets the whole step again.
  private func add(
    _ messages: inout [UInt8], after point: inout FeedPoint
  ) throws(Failure) -> Bool {
    var feed = try invocation.changeFeed(after: point.cursor)
    if point.cursor == nil {
      try feed.passAll()
      messages += "id: \(feed.cursor)\n\n".utf8
    }
    point.cursor = feed.cursor

    while try feed.nextStep() {
      var sent = 0
      while let change = try feed.nextOfStep() {
        sent += 1
        guard sent > point.sentLines else { continue }
        let line = JSONValue(of: change).line
        guard line.count <= server.limits.change else {
          throw Failure(
            .refused,
            """
            what the step after this cursor changed has more than \(server.limits.change) bytes
            """)
        }

        if !feed.isInsideStep { messages += "id: \(feed.cursor)\n".utf8 }
        messages += Array("data: ".utf8) + line + [UInt8(ascii: "\n")]
        point.sentLines = feed.isInsideStep ? sent : 0
        if !feed.isInsideStep { point.cursor = feed.cursor }
        if messages.count >= server.limits.change / 2 || exchange.connection.isAbandoned {
          return true
        }
      }
    }
    point.cursor = feed.cursor
    return false
  }

  /// Returns the cursor in the header `Last-Event-ID`, which clients send on reconnecting.
  ///
  /// Without the header, it is the one in the parameter `after`, or `nil`.
  private func startCursor() throws(Problem) -> Cursor? {
    let header = request["last-event-id"]
    guard let text = header ?? invocation.arguments.value("--after") else { return nil }
    if let cursor = Cursor(text) { return cursor }
    throw Problem(
      header == nil ? .badParameter : .badHeader,
      """
      \(header == nil ? "after" : "Last-Event-ID") is \(quoted(text)); it must be a cursor that \
      came with a change, or start
      """)
  }

  /// The head of the response; `X-Accel-Buffering` disables the buffering of proxies.
  private static let changesHead =
    Response.head(
      .ok,
      [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"),
        ("X-Accel-Buffering", "no"),
      ])
    + Array(": streaks\n\n".utf8)
}

/// The part of a ledger's changes that a listener has been sent.
private struct FeedPoint {
  /// The cursor after the last complete step, or `nil` for the end of the log.
  var cursor: Cursor?
  /// The number of lines of the step after `cursor` that were sent.
  var sentLines = 0
}
