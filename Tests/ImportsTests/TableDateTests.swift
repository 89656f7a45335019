import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct TableDateTests {
  private func add(
    _ table: String, _ options: String, to ledger: TemporaryLedger
  ) throws -> Output {
    try ledger.importTable(table, "--habit meditation " + options)
  }

  @Test(arguments: [
    ("dd-mmm-yyyy", "03-Nov-2025"), ("mmm d, yyyy", "Nov 3, 2025"),
    ("d. mmmm yyyy", "3. November 2025"), ("d mmm yyyy", "3 nov. 2025"),
    ("dd.mmm.yyyy", "03.NOV.2025"), ("d mmm yy", "3 Nov 25"), ("ddmmmyyyy", "03Nov2025"),
    ("yyyy-mmm-dd", "2025-Nov-03"), ("d/m/yyyy", "03/11/2025"), ("yymmdd", "251103"),
    ("dd.mm.yyyy", "3.11.25"),
  ])
  func `--date specifies the order of day, month and year, also with month names`(
    order: String, day: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let output = try add("day;minutes\n\(day);5\n", "--date '\(order)'", to: ledger)
    #expect(ledger.entries(of: "meditation", "day") == ["2025-11-03"], "\(output)")
  }

  @Test(arguments: [
    ("dd.mm.yyyy", "Mo, 03.11.2025"), ("dd.mm.yyyy", "Montag 03.11.2025"),
    ("mmm d, yyyy", "Mon, Nov 3, 2025"), ("yyyy-mm-dd", "Mo. 2025-11-03"), ("", "lun. 2025-11-03"),
  ])
  func `a day can follow the name of its weekday`(order: String, day: String) throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let option = order.isEmpty ? "" : "--date '\(order)'"
    let output = try add("day;minutes\n\(day);5\n", option, to: ledger)
    #expect(ledger.entries(of: "meditation", "day") == ["2025-11-03"], "\(output)")
  }

  @Test func `a column Uhrzeit has the time of the row's day`() throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let table = "Datum;Uhrzeit;Minutes\n03.11.2025;7:15;5\n02.11.25;;6\n"
    let output = try add(table, "--date dd.mm.yyyy", to: ledger)
    #expect(
      ledger.standing("meditation", "at")
        == ["2025-11-02T12:00:00+01:00", "2025-11-03T07:15:00+01:00"], "\(output)")
  }

  @Test func `a short name that a weekday and a month share is read as the month`() throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let output = try add("day;minutes\nMar 3, 2025;5\n", "--date 'mmm d, yyyy'", to: ledger)
    #expect(ledger.entries(of: "meditation", "day") == ["2025-03-03"], "\(output)")
  }

  @Test(arguments: [
    ("Januar", "01"), ("févr.", "02"), ("März", "03"), ("mars", "03"), ("abril", "04"),
    ("maggio", "05"), ("mei", "05"), ("juin", "06"), ("juil.", "07"), ("août", "08"),
    ("Sept", "09"), ("Okt", "10"), ("oct.", "10"), ("Oct", "10"),
  ])
  func `month names are recognized in several languages`(name: String, month: String) throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let output = try add("day;minutes\n2 \(name) 2025;5\n", "--date 'd mmm yyyy'", to: ledger)
    #expect(ledger.entries(of: "meditation", "day") == ["2025-\(month)-02"], "\(output)")
  }

  @Test(arguments: [
    ("Nov 2, 2025, 7:05:12 AM", "2025-11-02T07:05:12+01:00"),
    ("Nov 2, 2025 at 7:05 PM", "2025-11-02T19:05:00+01:00"),
    ("Nov 2, 2025 12:30 am", "2025-11-02T00:30:00+01:00"),
    ("Nov 2, 2025 12:30 p.m.", "2025-11-02T12:30:00+01:00"),
    ("Nov 2, 2025, 7:05\u{202F}PM", "2025-11-02T19:05:00+01:00"),
    ("Nov 2, 2025 21:05:06.789", "2025-11-02T21:05:06+01:00"),
    ("Nov 2, 2025 9:15:04 PM GMT+1", "2025-11-02T21:15:04+01:00"),
    ("Nov 2, 2025 09:15 -0530", "2025-11-02T09:15:00-05:30"),
    ("Nov 2, 2025 09:15+02:00", "2025-11-02T09:15:00+02:00"),
    ("Nov 2, 2025 09:15 UTC", "2025-11-02T09:15:00Z"),
  ])
  func `a time after the day may have AM or PM, an offset or a zone`(text: String, at: String)
    throws
  {
    let ledger = try TemporaryLedger(running: "init meditation")
    let output = try add("at;minutes\n\(text);5\n", "--date 'mmm d, yyyy'", to: ledger)
    #expect(ledger.entries(of: "meditation", "at") == [at], "\(output)")
  }

  @Test func `a time in a separate column may have AM or PM`() throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let table = "Date;Time;Minutes\n11/02/2025;7:05 PM;5\n"
    let output = try add(table, "--date mm/dd/yyyy", to: ledger)
    #expect(
      ledger.entries(of: "meditation", "at") == ["2025-11-02T19:05:00+01:00"], "\(output)")
  }

  @Test(arguments: [
    (
      "Date;Minutes\n2025-11-02 08:15;5\n", "",
      """
      "day" is "2025-11-02 08:15"; it must be a day without a time; a column with both is called \
      at: --columns at,minutes
      """
    ),
    (
      "Date;Meditation;Shoes\n2025-11-02T08:15:00Z;5;red\n", "",
      "a column with both is called at: --columns at,meditation,-"
    ),
    (
      "Date;Minutes\n03.11.2025 08:15;5\n", "--date dd.mm.yyyy",
      "a column with both is called at: --columns at,minutes"
    ),
    ("Date;Minutes\n03-Nov-2025;5\n", "", "; --date dd-mmm-yyyy reads it"),
    ("Date;Minutes\n11/02/2025;5\n", "", "; --date mm/dd/yyyy or dd/mm/yyyy reads it"),
    ("Date;Minutes\n13/11/2025;5\n", "", "; --date dd/mm/yyyy reads it"),
    ("at;Minutes\nNov 2, 2025, 7:05 AM;5\n", "", "; --date 'mmm d, yyyy' reads it"),
    (
      "Date;Minutes\n31.11.2025;5\n", "--date dd.mm.yyyy",
      "\"day\" is \"31.11.2025\"; it must be a day of the calendar"
    ),
    ("Date;Minutes\n2 Jui 2025;5\n", "--date 'd mmm yyyy'", "it must be d mmm yyyy"),
    ("at;Minutes\nNov 2, 2025 13:05 PM;5\n", "--date 'mmm d, yyyy'", "it must be a time such as"),
    ("at;Minutes\n2 Nov 2025 9:15 GMT+99;5\n", "--date 'd mmm yyyy'", "it must be a time such as"),
    ("at;Minutes\n11/2/2025 9h;5\n", "", "; --date dd.mm.yyyy names another order"),
    ("", "--date ddd.mm.yyyy", "--date is \"ddd.mm.yyyy\"; it must be an order of"),
    ("", "--date dd.mm.yyy", "--date is \"dd.mm.yyy\""),
    ("", "--date dd.mm.yyyy.dd", "--date is \"dd.mm.yyyy.dd\""),
  ])
  func `a day in an unexpected form is refused with a hint`(
    table: String, options: String, says: String
  ) throws {
    let ledger = try TemporaryLedger(running: "init meditation")
    let output = try add(table, options, to: ledger)
    #expect(output.errors.contains(says), "\(output.errors)")
  }
}
