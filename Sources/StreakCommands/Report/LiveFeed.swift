import EventLog
import StreakDomain

/// Where a page hears of changes, and the cursor after the events that it has.
package struct LiveFeed {
  /// That of `GET /v1/changes` on the page's own server.
  let path: String
  let cursor: Cursor

  var json: JSON { .object(["url": .text(path), "after": .text(cursor.description)]) }

  /// What a path must be, in words.
  static let form = "a path such as /v1/changes, with no ? and no #"

  static func isPath(_ text: String) -> Bool {
    // Two slashes in front would be another host.
    text.begins(with: "/") && !text.begins(with: "//")
      && text.utf8.allSatisfy {
        $0.isDigit || (65...90).contains($0 & 0xDF) || "-._~%!$&'()*+,;=:@/".utf8.contains($0)
      }
  }
}

extension LiveFeed {
  /// The feed that `--live` asks for, after the events that there are; nil where it is not given.
  ///
  /// It is read before the page is, which passes over a message of an event it has.
  init?(_ invocation: Invocation) throws(Failure) {
    guard let path = invocation.arguments.value("--live") else { return nil }
    var options = try invocation.reader.options()
    options.wantsTexts = false
    var deliveries = try Deliveries(folder: invocation.folder, after: Cursor(), options: options)
    var item = StreamItem()
    while try deliveries.next(&item) {}
    self.init(path: path, cursor: deliveries.cursor())
  }
}
