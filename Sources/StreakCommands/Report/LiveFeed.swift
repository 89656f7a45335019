import EventLog
import StreakDomain

/// Where a page hears of changes, and the cursor after the events that it has.
package struct LiveFeed {
  let address: LiveAddress
  let cursor: Cursor

  var json: JSON { .object(["url": .text(address.text), "after": .text(cursor.description)]) }
}

/// The path or address of `GET /v1/changes`, as `report --live` takes it.
///
/// Its host becomes a part of the page's policy, so it has only what a host may have there.
package struct LiveAddress {
  /// In words.
  static let form =
    "a path such as /v1/changes, or an address such as https://HOST/v1/changes, with no ? and no #"

  let text: String
  /// Where the page's policy lets it connect: its own server, or the scheme, host and port of the address.
  let source: String

  init?(_ text: String) {
    var path = Array(text.utf8)[...]
    var source = "'self'"
    if let scheme = ["http://", "https://"].first(where: { path.starts(with: $0.utf8) }) {
      path = path.dropFirst(scheme.utf8.count)
      let host = path.prefix { $0 != UInt8(ascii: "/") }
      guard LiveAddress.isHost(host) else { return nil }
      path = path[host.endIndex...]
      source = scheme + String(decoding: host, as: UTF8.self)
    }
    // Two slashes in front would be another host.
    guard path.first == UInt8(ascii: "/"), !path.starts(with: "//".utf8),
      path.allSatisfy({ LiveAddress.isNameByte($0) || "_~%!$&'()*+,;=:@/".utf8.contains($0) })
    else { return nil }
    (self.text, self.source) = (text, source)
  }

  /// A name or an IPv4 address, perhaps with a port.
  private static func isHost(_ host: ArraySlice<UInt8>) -> Bool {
    let name = host.prefix { $0 != UInt8(ascii: ":") }
    let port = host[name.endIndex...].dropFirst()
    let isPortGiven = name.endIndex < host.endIndex
    let isPort = Int(String(decoding: port, as: UTF8.self)).map { (1...65535).contains($0) } ?? false
    return !name.isEmpty && name.allSatisfy(isNameByte) && isPort == isPortGiven
      && port.first != UInt8(ascii: "+")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    default: false
    }
  }
}

extension LiveFeed {
  /// The feed that `--live` asks for, after the events that there are; nil where it is not given.
  ///
  /// It is read before the page is, which passes over a message of an event it has.
  init?(_ invocation: Invocation) throws(Failure) {
    guard let address = invocation.arguments.value("--live").flatMap(LiveAddress.init) else { return nil }
    var options = try invocation.reader.options()
    options.wantsTexts = false
    var deliveries = try Deliveries(folder: invocation.folder, after: Cursor(), options: options)
    var item = StreamItem()
    while try deliveries.next(&item) {}
    self.init(address: address, cursor: deliveries.cursor() ?? Cursor())
  }
}
