package import StreakDomain

/// The local time at which a step was recorded, followed by the day that the step is about if this
/// is another date.
package struct RecordedTime {
  package let text: String

  /// Creates the text; `day` is `nil` if the step is about several days.
  package init(_ recorded: Instant, by clock: DayClock?, about day: Day?) {
    let local = clock?.local(recorded)
    let otherDay = local?.localDay == day ? nil : day
    text =
      (local.map(RecordedTime.minute(of:)) ?? "\(recorded)")
      + (otherDay.map { "  for \($0)" } ?? "")
  }

  /// Returns the local time to the minute, such as `2025-11-04 12:05`.
  ///
  /// If `clock` is `nil`, the result is the instant as text.
  package static func minute(_ instant: Instant, by clock: DayClock?) -> String {
    clock.map { minute(of: $0.local(instant)) } ?? "\(instant)"
  }

  private static func minute(of local: Timestamp) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(16)
    local.localDay.write(into: &text)
    text.append(UInt8(ascii: " "))
    text.append(decimal: UInt(local.localMinute / 60), width: 2)
    text.append(UInt8(ascii: ":"))
    text.append(decimal: UInt(local.localMinute % 60), width: 2)
    return String(decoding: text, as: UTF8.self)
  }
}
