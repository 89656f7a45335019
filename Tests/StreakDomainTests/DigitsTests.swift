import StreakDomain
import Testing

struct DigitsTests {
  @Test(arguments: [
    0, 7, 10, -1, 1_000, 99_999_999, 100_000_000, 1_000_000_007, 12_345_678_901_234_567, Int.max,
    Int.min,
  ])
  func `an integer is written as Swift prints it`(number: Int) {
    var text: [UInt8] = []
    text.append(decimal: number)
    #expect(String(decoding: text, as: UTF8.self) == String(number))
  }

  @Test(arguments: [
    (0, 2, "00"), (7, 1, "7"), (7, 2, "07"), (123, 2, "123"), (5, 12, "000000000005"),
  ])
  func `an integer that is shorter than the width is padded with zeros`(
    number: Int, width: Int, expected: String
  ) {
    var text: [UInt8] = []
    text.append(decimal: UInt(number), width: width)
    #expect(String(decoding: text, as: UTF8.self) == expected)
  }
}
