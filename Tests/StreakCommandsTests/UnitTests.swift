import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct UnitTests {
  private let ledger: TemporaryLedger

  init() throws {
    ledger = try TemporaryLedger(now: "2025-11-03T12:00:00+01:00")
    try ledger.run(
      all: """
        init --zone Europe/Berlin
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
    ("water 500ml", "amount", "0.5"), ("water 33cl", "amount", "0.33"), ("water 2 dl", "amount", "0.2"),
    ("water 1,500ML", "amount", "1.5"), ("water 0.5litres", "amount", "0.5"), ("juice 0.3l", "amount", "300"),
    ("protein 30g", "amount", "0.03"), ("protein 500g", "amount", "0.5"), ("swim 1.5km", "amount", "1500"),
    ("swim 1mi", "amount", "1609.344"), ("swim 800m", "amount", "800"), ("plank 2min", "amount", "120"),
    ("plank 0.5h", "amount", "1800"), ("run 800metres", "km", "0.8"), ("run 3mi", "km", "4.828"),
    ("sitting 90s", "minutes", "1.5"), ("sitting 1h", "minutes", "60"), ("coffee", "amount", "1"),
    ("coffee --value espresso", "amount", "1"), ("pills", "amount", "1"), ("sport", "amount", "1"),
    ("wine", "drinks", "1"), ("alcohol 2", "drinks", "2"), ("alcohol 0", "drinks", "0"),
  ])
  func `a measure becomes the unit of the habit`(words: String, field: String, value: String) {
    let output = ledger.run("log \(words) --id x")
    #expect(output.status == .done, "\(output.errors)")
    #expect(ledger.stored("x", field) == value)
  }

  @Test(arguments: [
    ("water 500pages", "the habit counts l; say how many, such as 2l"),
    ("water 500m", "the habit counts l; say how many, such as 2l"), ("protein 0.1mg", "the habit counts kg"),
    ("reading 20 page", "did you mean \"20pages\"?"),
    ("reading 20min", "the habit counts pages; say how many, such as 20"),
    ("reading", "say how many, such as 20pages"), ("water", "say how many"),
    ("pills 2x", "did you mean \"2pills\"?"),
    ("medicine 2x", "each entry counts once"), ("mood 2x", "log it once for each time"),
    ("sitting 3x", "the habit counts minutes; say how many, such as 10m"), ("alcohol 3x", "such as 2drinks"),
    ("run 800m", "m is minutes; say metres as km, such as 0.8km"), ("alcohol 2.5", "drinks are whole"),
    ("coffee two", "say how many"),
  ])
  func `another unit is refused with the habit's own, and nothing is written`(words: String, says: String) {
    let before = ledger.contents()
    let output = ledger.run("log \(words)")
    #expect(output.status == .usage && output.errors.contains(says), "\(output.screen)")
    #expect(!output.errors.contains("\"2h\"") && !output.errors.contains("\"500l\""))
    #expect(ledger.contents() == before)
  }
}
