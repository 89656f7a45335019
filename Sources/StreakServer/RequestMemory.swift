import EventLog
import StreakDomain

/// About how much memory a request takes, in bytes: its own, and its ledger's, which the requests of a login share.
package struct RequestMemory: Equatable, Sendable {
  package let own: Int
  package let ledger: Int

  package init(own: Int, ledger: Int) { (self.own, self.ledger) = (own, ledger) }

  /// What the request of a ledger's folder takes, by the sizes of the segments and of the body.
  init(_ request: Request, folder: String) {
    let disk = SystemDisk()
    let names = (try? disk.names(in: folder)) ?? []
    let size = names.filter(EventStream.isSegment).reduce(0) { sum, name in
      sum + ((try? disk.stamp(of: "\(folder)/\(name)"))??.size ?? 0)
    }
    ledger = FoldedLog.bytes(ofEvents: size / EventStream.shortLine)
    // What reads may fold the ledger once more; what posts has a draft of a few hundred bytes for some twenty of JSON.
    own = request.method == "POST" ? (1 << 16) + 32 * request.announcedBody : ledger
  }
}
