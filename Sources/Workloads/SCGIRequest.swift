/// A request as a web server sends it to the socket of `serve`.
package enum SCGIRequest {
  /// The bytes of the server's variables and a body.
  package static func bytes(of variables: [String: String], body: [UInt8]) -> [UInt8] {
    var head: [UInt8] = []
    let own = ["CONTENT_LENGTH": "\(body.count)", "SCGI": "1"]
    for (name, value) in variables.merging(own, uniquingKeysWith: { one, _ in one }) {
      head += Array(name.utf8) + [0] + Array(value.utf8) + [0]
    }
    return Array("\(head.count):".utf8) + head + [UInt8(ascii: ",")] + body
  }
}
