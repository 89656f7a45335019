package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// Encodes bytes with padding; or for URLs, with `-_` instead of `+/` and without padding.
  package static func text(of bytes: [UInt8], isForURLs: Bool) -> String {
    let alphabet = letters + (isForURLs ? "-_" : "+/").utf8
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start...].prefix(3)
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      text += [18, 12, 6, 0].prefix(part.count + 1).map { alphabet[bits >> $0 & 0x3F] }
      if !isForURLs { text += repeatElement(UInt8(ascii: "="), count: 3 - part.count) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Decodes URL-safe Base64 without padding, or returns `nil` if `text` is malformed or has unused bits set.
  static func bytes(ofURLWord text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count) = (0, 0)
    for letter in text.utf8 {
      guard let value = value(of: letter) else { return nil }
      (bits, count) = (bits << 6 & 0xFFFF | value, count + 6)
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(bits >> count & 0xFF))
    }
    return count < 6 && bits & (1 << count - 1) == 0 ? bytes : nil
  }

  private static func value(of letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter) + 4
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
