import StreakDomain
import Testing

struct DayTests {
  @Test func `every date from 1900 to 2199 can be printed and read back`() throws {
    var number = Day.first.number
    while number <= Day.last.number {
      let day = Day(unchecked: number)
      let (year, month, date) = day.date
      try #require(Day(year: year, month: month, day: date) == day)
      try #require(Day(day.description) == day)
      number += 1
    }
  }

  @Test(arguments: [
    ("1900-01-01", -25_567), ("1970-01-01", 0), ("2000-02-29", 11_016), ("2025-11-03", 20_395),
    ("2199-12-31", 84_005),
  ])
  func `a day is numbered from 1 January 1970`(text: String, number: Int32) {
    #expect(Day(text)?.number == number)
  }

  @Test(arguments: [
    "2025-02-29", "1900-02-29", "2025-04-31", "2025-13-01", "2025-00-10", "1899-12-31",
    "2200-01-01",
    "2025-1-1", "2025-11-03 ", "20251103", "２０２５-11-03", "",
  ])
  func `a text that is not a valid date is refused`(text: String) {
    #expect(Day(text) == nil)
  }

  @Test func `a date has the right weekday and the right first day of its week`() {
    #expect(Day("2025-11-03").weekday == .monday)
    #expect(Day("1970-01-01").weekday == .thursday)
    #expect(Week(of: "1900-01-07", from: .monday).first == Day("1900-01-01"))
  }

  @Test func `endOfMonth is the last day of the month, even in a leap year`() {
    #expect(Day("2024-02-10").endOfMonth == Day("2024-02-29"))
    #expect(Day("2025-12-01").endOfMonth == Day("2025-12-31"))
  }
}

struct TimestampTests {
  @Test(arguments: [
    ("2025-11-03T21:15:00+01:00", "2025-11-03T21:15:00+01:00", "2025-11-03"),
    ("2025-11-03T23:59:59.999-10:00", "2025-11-03T23:59:59.999-10:00", "2025-11-03"),
    ("2025-11-04T00:00:00.000+05:45", "2025-11-04T00:00:00+05:45", "2025-11-04"),
    ("2025-11-04T00:00:00+00:00", "2025-11-04T00:00:00Z", "2025-11-04"),
    ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z", "1969-12-31"),
  ])
  func `a time keeps its UTC offset and its local day`(text: String, written: String, day: String) {
    let at = Timestamp(text)
    #expect(at?.description == written)
    #expect(at?.localDay.description == day)
  }

  @Test(arguments: [
    "2025-11-03T24:00:00Z", "2025-11-03T12:60:00Z", "2025-11-03T12:00:60Z", "2025-11-03T12:00:00",
    "2025-11-03T12:00:00.1234567Z", "2025-11-03T12:00:00.Z", "2025-02-30T12:00:00Z",
    "9999-01-01T00:00:00Z",
    "2025-11-03T12:00:00+24:00", "2025-11-03T12:00:00+0100",
  ])
  func `a malformed time is refused`(text: String) {
    #expect(Timestamp(text) == nil)
  }
}

struct ThousandthsTests {
  @Test(
    arguments: [(1499, 1), (1500, 2), (1800, 2), (1999, 2), (2499, 2), (0, 0)] as [(Int64, Int64)])
  func `thousandths are rounded to the nearest whole number, halves up`(
    count: Int64, rounded: Int64
  ) {
    #expect(Thousandths(count: count).rounded == rounded)
  }

  @Test(
    arguments: [(499, 0), (500, 1), (1_499, 1), (32_186_880, 32_187), (999_999, 1000)]
      as [(Int64, Int64)])
  func `millionths are rounded to thousandths, halves up`(millionths: Int64, thousandths: Int64) {
    #expect(Thousandths(rounding: Millionths(count: millionths)).count == thousandths)
  }

  @Test(
    arguments: [(1_499_999, 1), (1_500_000, 2), (499_999, 0), (500_000, 1)] as [(Int64, Int64)])
  func `millionths are rounded once to the nearest whole number, halves up`(
    count: Int64, rounded: Int64
  ) {
    #expect(Millionths(count: count).rounded == rounded)
  }

  @Test func `a sum that would overflow stays at the largest number`() {
    let largest = Millionths(count: .max)
    #expect(largest + largest == largest)
    #expect(Thousandths(rounding: largest).description == "9223372036854.775")
    #expect(largest.rounded == 9_223_372_036_854)
    #expect(Millionths(Int.max) == largest)
    #expect(Millionths(1e300).description == "1000000000000")
  }

  @Test(
    arguments: [
      ("6.437376", 6_437_376), ("0.000001", 1), ("1e-6", 1), ("20.0000000", 20_000_000),
      ("1000000", 1_000_000_000_000), ("0.0000001", nil), ("1e-7", nil), ("1e13", nil),
    ] as [(String, Int64?)])
  func `a measure has at most six decimals`(text: String, count: Int64?) {
    let number = Millionths(json: text)
    #expect(number?.count == count)
    if let number { #expect(Millionths(json: number.description) == number) }
  }

  @Test func `a bound has at most three decimals`() {
    #expect(Thousandths(exactly: 32.187)?.count == 32_187)
    #expect(Thousandths(exactly: 32.1868) == nil)
  }

  @Test(
    arguments: [(12_000, "12"), (1500, "1.5"), (125, "0.125"), (-250, "-0.25")] as [(Int64, String)]
  )
  func `a number is printed without trailing zeros`(count: Int64, text: String) {
    #expect(Thousandths(count: count).description == text)
  }
}
