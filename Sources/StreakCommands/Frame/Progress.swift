struct Progress {
  private let isWanted: Bool
  private let context: Context
  private let total: Int
  private var isShown = false

  /// Whether there is only one segment, so that the offset in the segment can be shown as a percentage.
  private let isOneSegment: Bool

  init(context: Context, total: Int, isOneSegment: Bool) {
    self.isOneSegment = isOneSegment
    isWanted = context.showsProgress && total > 50_000_000
    self.context = context
    self.total = total
  }

  @inline(__always)
  mutating func note(_ bytes: Int, position: Int) {
    guard isWanted, position & 0x3FFFF == 0 else { return }
    isShown = true
    context.errors("\r\(position) events" + (isOneSegment ? ", \(min(100, bytes * 100 / total)) %" : ""))
  }

  func finish() {
    if isShown { context.errors("\r\u{1B}[K") }
  }
}
