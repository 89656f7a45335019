import CommandFixtures
import DomainFixtures
import Foundation
import StreakCommands
import StreakDomain
import StreakServer
import Synchronization

struct Heard: Equatable {
  /// The cursor after the step, or `nil` if the step goes on with the next message.
  let id: String?
  let data: String

  var event: String { Output(text: data, errors: "", status: .done)["event"] ?? "" }
}

final class ListeningClient: Connection, Sendable {
  private let request: [UInt8]
  private let wanted: Int
  private let heard = Mutex((rest: [UInt8](), text: "", count: 0))
  private let hasHead = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let gate: DispatchSemaphore?

  init(
    _ request: WebRequest, _ server: Server, wants count: Int, behind gate: DispatchSemaphore? = nil
  ) {
    self.request = request.bytes
    self.gate = gate
    wanted = count
    heard.withLock { $0.rest = self.request }
    Thread.detachNewThread { [self] in
      server.serve(self) { WebRequest.context(now: request.now) }
      hasHead.signal()
      hasEnded.signal()
    }
  }

  func staysOpen(for time: Duration) -> Bool {
    usleep(20_000)
    return heard.withLock { $0.count < wanted }
  }

  func waitForHead() { hasHead.wait() }
  func waitForEnd() { hasEnded.wait() }
  var text: String { heard.withLock { $0.text } }

  var events: [Heard] {
    (text.components(separatedBy: "\r\n\r\n").last ?? "").components(separatedBy: "\n\n").compactMap
    {
      message in
      let lines = message.split(separator: "\n")
      guard let data = lines.last, data.hasPrefix("data: "), lines.count <= 2 else { return nil }
      let id = lines.count == 2 ? String(lines[0].dropFirst(4)) : nil
      return Heard(id: id, data: String(data.dropFirst(6)))
    }
  }

  var cursor: String? {
    text.components(separatedBy: "id: ").last?.split(separator: "\n").first.map(String.init)
  }

  func writeAtOnce(_ bytes: [UInt8]) { _ = write(bytes) }

  var isAbandoned: Bool { false }

  func read(until end: ContinuousClock.Instant, mayEnd: Bool) -> [UInt8] {
    heard.withLock { heard in
      defer { heard.rest = [] }
      return heard.rest
    }
  }

  /// Accepts at most one event too many, like a client that is closing.
  func write(_ bytes: [UInt8]) -> Bool {
    if heard.withLock({ $0.count >= wanted }) { return false }
    let data = Array("data: ".utf8)
    if bytes.starts(with: Array("id: ".utf8)) || bytes.starts(with: data) { gate?.wait() }
    let count = bytes.split(separator: UInt8(ascii: "\n")).count { $0.starts(with: data) }
    let isEnough = heard.withLock { heard in
      heard.text += String(decoding: bytes, as: UTF8.self)
      heard.count += count
      return heard.count >= wanted
    }
    if bytes.starts(with: Array("HTTP/1.1 200".utf8)) { hasHead.signal() }
    return !isEnough
  }
}
