import Foundation

/// How many cases of a law a run looks at: a part of them, or all with `STREAKS_THOROUGH=1`.
public enum Cases {
  public static let areAll = ProcessInfo.processInfo.environment["STREAKS_THOROUGH"] == "1"

  /// The seeds from 1 on, a quarter of so many.
  public static func seeds(_ count: UInt64) -> ClosedRange<UInt64> { 1...(areAll ? count : (count + 3) / 4) }

  /// How long the longest of all short histories is: two days less than so many.
  public static func days(_ most: Int) -> Int { areAll ? most : most - 2 }

  /// How far to go from one place to the next where each of many is tried.
  public static func stride(_ step: Int) -> Int { areAll ? 1 : step }
}
