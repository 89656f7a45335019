package import StreakDomain

extension EventStream {
  /// Returns the number of events recorded after `instant`; reads only the ends of the segments.
  package func count(recordedAfter instant: Instant) throws(Failure) -> Int {
    var count = 0
    for reader in readers { count += try reader.count(recordedAfter: instant) }
    return count
  }
}

extension SegmentReader {
  fileprivate func count(recordedAfter instant: Instant) throws(Failure) -> Int {
    var length = LineLimits.bytes + 1
    while true {
      let start = max(0, size - length)
      let bytes = try reading { () throws(SystemError) in try self.bytes.file().bytes(start..<size) }
      var lines = bytes.split(separator: UInt8(ascii: "\n"))
      if start > 0 { lines.removeFirst() }
      let count = lines.reversed().prefix { line in
        EventDecoder.recorded(of: Array(line)).map { $0 > instant } ?? false
      }.count
      if count < lines.count || start == 0 { return count }
      length *= 2
    }
  }
}
