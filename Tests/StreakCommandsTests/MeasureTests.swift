import CommandFixtures
import StreakDomain
import Testing

struct MeasureTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(
      all: """
        init meditation cardio awareness --zone Europe/Berlin
        define water --at-least 2l
        define juice --at-most 300ml
        define protein --at-least 0.1kg
        define swim --at-least 1000metres
        define plank --at-least 90s
        define run --at-least 5km
        define sitting --at-least 10min
        define coffee --at-most 2cups
        define reading --at-least 20pages
        define sport --at-least 5pushups/week
        define pills --at-least 2pills
        define medicine --at-least 2times
        define alcohol --levels calm:0-1,some:2- --good calm
        define wine --at-most 14drinks/week
        define mood --any
        """)
  }

  @Test(arguments: [
    ("meditation 1h30m", "minutes", "90"), ("meditation 1h05", "minutes", "65"),
    ("meditation 31:20", "minutes", "31.333"), ("meditation 1:02:03", "minutes", "62.05"),
    ("meditation 90", "minutes", "90"), ("meditation 30 m", "minutes", "30"),
    ("cardio running 5 km", "km", "5"), ("reading 20 pages", "amount", "20"),
    ("reading 1page", "amount", "1"),
    ("meditation 20 --value 5k", "value", "5k"), ("awareness 7of10", "value", "7of10"),
    ("cardio running 12m", "minutes", "12"), ("cardio running 0.5h", "minutes", "30"),
    ("cardio running 24h", "minutes", "1440"), ("cardio running 5.2km", "km", "5.2"),
    ("cardio running 3mi", "km", "4.828"),
    ("cardio running 621mi", "km", "999.403"), ("cardio running 0007.500km", "km", "7.5"),
    ("cardio running 4sets", "sets", "4"),
    ("water 500ml", "amount", "0.5"), ("water 33cl", "amount", "0.33"), ("water 2 dl", "amount", "0.2"),
    ("water 1,500ML", "amount", "1.5"), ("water 0.5litres", "amount", "0.5"), ("juice 0.3l", "amount", "300"),
    ("protein 30g", "amount", "0.03"), ("protein 500g", "amount", "0.5"), ("swim 1.5km", "amount", "1500"),
    ("swim 1mi", "amount", "1609.344"), ("swim 800m", "amount", "800"), ("plank 2min", "amount", "120"),
    ("plank 0.5h", "amount", "1800"), ("run 800metres", "km", "0.8"), ("run 3mi", "km", "4.828"),
    ("sitting 90s", "minutes", "1.5"), ("sitting 1h", "minutes", "60"), ("coffee", "amount", "1"),
    ("coffee --value espresso", "amount", "1"), ("pills", "amount", "1"), ("sport", "amount", "1"),
    ("wine", "drinks", "1"), ("alcohol 2", "drinks", "2"), ("alcohol 0", "drinks", "0"),
  ])
  func `a measure is read as people write it, in the unit of the habit`(
    words: String, field: String, value: String
  ) {
    let output = ledger.run("log \(words) --id x")
    #expect(output.status == .done, "\(output.errors)")
    #expect(ledger.stored("x", field) == value)
  }

  @Test(arguments: [
    ("cardio running 5k", "did you mean \"5km\"?"), ("cardio runing 5km", "did you mean \"running\"?"),
    ("reading 20 page", "did you mean \"20pages\"?"),
    ("meditation 20 page", "meditation counts minutes; say how many"),
    ("meditation 25h00", "0 to 1440"), ("awareness 5k", "--value takes any text"),
    ("meditation 12:75", "counts minutes"), ("meditation 1:30", "may be 1h30m or 90s"),
    ("awareness yesterday", "say --on yesterday"),
    ("cardio 5km mon", "say --on mon"), ("meditation 10 yesterday", "say --on yesterday"),
    ("meditation 45 legs", "\"45 legs\" looks like a measure"), ("cardio 5", "of what?"),
    ("cardio running .5h", "such as 12 or 0.5"), ("cardio running 5.km", "such as 12 or 0.5"),
    ("cardio running 1.0005km", "at most 3 decimals"), ("cardio running 25h", "0 to 1440"),
    ("cardio running 622mi", "0 to 1000"), ("cardio running 999999999999999h", "0 to 1440"),
    ("cardio running 9999999999999mi", "0 to 1000"), ("cardio running 99999999999999999999km", "0 to 1000"),
    ("cardio running 99999999999999999999h", "0 to 1440"), ("cardio running 1.5sets", "whole"),
    ("reading 5.0001pages", "at most 3 decimals"), ("reading 1000000000", "0 to 1000000"),
    ("water 500pages", "water counts l; say how many, such as 2l"),
    ("water 500m", "water counts l; say how many, such as 2l"), ("protein 0.1mg", "protein counts kg"),
    ("reading 20min", "reading counts pages; say how many, such as 20"),
    ("reading", "say how many, such as 20pages"), ("water", "say how many"),
    ("pills 2x", "say how many, such as 2pills"),
    ("medicine 2x", "each entry counts once"), ("mood 2x", "the units are m, h, km, mi, sets, drinks"),
    ("sitting 3x", "sitting counts minutes; say how many, such as 10m"), ("alcohol 3x", "such as 2drinks"),
    ("run 800m", "m is minutes; say metres as km, such as 0.8km"),
    ("alcohol 2.5", "drinks go from 0 to 100; they are whole"),
    ("coffee two", "say how many"),
  ])
  func `a word that only looks like a measure, or another unit, is refused`(words: String, says: String) {
    let before = ledger.contents()
    let output = ledger.run("log \(words)")
    #expect(output.status == .usage && output.errors.contains(says), "\(output.screen)")
    #expect(!output.errors.contains("\"2h\"") && !output.errors.contains("\"500l\""))
    #expect(ledger.contents() == before)
  }
}
