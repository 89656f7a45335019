import EventLog
import StreakDomain

/// The source of a page's live updates: a URL path, and the cursor of the events that the page already contains.
package struct LiveFeed {
  let path: String
  let cursor: Cursor

  var json: JSON { .object(["url": .text(path), "after": .text(cursor.description)]) }

  static let form = "a path such as /v1/changes, with no ? and no #"

  static func isPath(_ text: String) -> Bool {
    // A path that begins with two slashes would refer to another host.
    text.begins(with: "/") && !text.begins(with: "//")
      && text.utf8.allSatisfy {
        $0.isDigit || (65...90).contains($0 & 0xDF) || "-._~%!$&'()*+,;=:@/".utf8.contains($0)
      }
  }
}

extension LiveFeed {
  /// Creates the feed, or `nil` without `--live`; its first events may be on the page already, which ignores them.
  init?(_ invocation: Invocation) throws(Failure) {
    guard let path = invocation.arguments.value("--live") else { return nil }
    var options = try invocation.reader.options()
    options.wantsTexts = false
    var deliveries = try Deliveries(folder: invocation.folder, after: Cursor(), options: options)
    var item = StreamItem()
    while try deliveries.next(&item) {}
    self.init(path: path, cursor: deliveries.cursor)
  }
}
