import StreakDomain

/// The invisible bytes with which some programs begin a text, and which JSON doesn't allow.
enum ByteOrderMark {
  case utf8, utf16

  /// Creates the mark that `bytes` have at `offset`, or returns `nil` if there is none.
  init?(at offset: Int, in bytes: [UInt8]) {
    let rest = bytes.dropFirst(offset)
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) {
      self = .utf8
    } else if rest.starts(with: [0xFF, 0xFE]) || rest.starts(with: [0xFE, 0xFF]) {
      self = .utf16
    } else {
      return nil
    }
  }

  var problem: Sentence {
    switch self {
    case .utf8: "a byte order mark (the bytes EF BB BF), which JSON does not allow"
    case .utf16: "a byte order mark of UTF-16, and only UTF-8 is read"
    }
  }

  var remedy: Remedy {
    switch self {
    case .utf8: "save it as UTF-8 without a byte order mark"
    case .utf16: .program("convert it, such as with `iconv -f utf-16 -t utf-8`")
    }
  }
}
