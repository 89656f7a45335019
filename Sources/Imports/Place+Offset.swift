package import EventLog

extension Place {
  /// The place of a byte, which is at `offset` from 0.
  package init(of offset: Int, in bytes: [UInt8], file: String) {
    let before = bytes.prefix(offset)
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.init(file: file, line: before.count { $0 == 0x0A } + 1, column: before.count - start + 1)
  }
}
