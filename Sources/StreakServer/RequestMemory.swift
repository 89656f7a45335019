import EventLog
import StreakDomain

/// The approximate memory of a request in bytes: its own, and the ledger's, which a login's requests share.
package struct RequestMemory: Equatable, Sendable {
  package let own: Int
  package let ledger: Int

  package init(own: Int, ledger: Int) { (self.own, self.ledger) = (own, ledger) }

  init(_ request: Request, folder: String) {
    let disk = SystemDisk()
    let names = (try? disk.names(in: folder)) ?? []
    let size = names.filter(EventStream.isSegment).reduce(0) { sum, name in
      sum + ((try? disk.stamp(of: "\(folder)/\(name)"))??.size ?? 0)
    }
    ledger = FoldedLog.bytes(ofEvents: size / EventStream.shortLine)
    // A GET may fold the ledger once more. A POST has a draft of a few hundred bytes per 20 bytes of JSON.
    own = request.method == "POST" ? (1 << 16) + 32 * request.announcedBody : ledger
  }
}
