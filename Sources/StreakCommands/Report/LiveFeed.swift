import EventLog
import StreakDomain

enum LiveFeed {
  static let form = "a path such as /v1/changes, with no ? and no #"

  static func isPath(_ text: String) -> Bool {
    // A path that begins with two slashes would refer to another host.
    text.begins(with: "/") && !text.begins(with: "//")
      && text.utf8.allSatisfy {
        $0.isDigit || (65...90).contains($0 & 0xDF) || "-._~%!$&'()*+,;=:@/".utf8.contains($0)
      }
  }
}

extension Invocation {
  /// Returns the source of the page's live updates: a URL path, and the cursor to start from; `nil` without `--live`.
  ///
  /// The feed may begin with events that the page already shows. The page ignores them.
  func liveFeed() throws(Failure) -> JSON? {
    guard let path = arguments.value("--live") else { return nil }
    var options = try reader.options()
    options.wantsTexts = false
    var deliveries = try Deliveries(folder: folder, after: Cursor(), options: options)
    var item = StreamItem()
    while try deliveries.next(&item) {}
    return .object(["url": .text(path), "after": .text(deliveries.cursor.description)])
  }
}
