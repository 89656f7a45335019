/// The five steps of an achievement that grows (domain.md, "Achievements").
enum Tier {
  static let names = ["bronze", "silver", "gold", "diamond", "legendary"]

  /// With more entries than these one more brings nothing.
  static let mostEntries = 250

  /// `collector`, by entries: two habits logged on each of five days are ten, so bronze on the fifth.
  static let collector = [10, 25, 50, 100, mostEntries]
  /// `marathon`, by days with an entry: `xx.xxx.xx` has bronze on the ninth day.
  static let marathon = [7, 30, 60, 120, 365]
  /// `devotee`, by such days in a row.
  static let devotee = [3, 7, 14, 30, 60]
  /// `variety`, by habits with an entry: of `x..`, `.x.` and `..x` bronze on the third day.
  static let variety = [3, 5, 8, 12, 16]

  /// How many tiers a number reaches.
  static func reached(_ tiers: [Int], by number: Int) -> UInt8 { UInt8(tiers.count { $0 <= number }) }
}
