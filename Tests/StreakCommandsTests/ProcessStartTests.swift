import CommandFixtures
import Foundation
import StreakCommands
import Testing

struct ProcessStartTests {
  private func script(_ text: String, _ variables: [String: String] = [:]) throws
    -> ShellScript.Result
  {
    let ledger = try TemporaryLedger()
    let own = ["TZDIR": "", "TZ": "", "STREAKS_WRITER": "main"].merging(variables) { $1 }
    return try ShellScript(text: text, folder: ledger.folder, environment: own).run()
  }

  #if os(Linux)
    @Test(arguments: [
      "show", "replay --at 2025-11-01", "log meditation 5m", "remind", "calendar meditation",
    ])
    func `without a time zone database a command is refused instead of guessing the day`(
      command: String
    ) throws {
      let said = try script(
        """
        streaks init meditation --zone Europe/Berlin --now 2025-11-01T12:00:00Z > /dev/null
        cp -r events before
        TZDIR=/nowhere streaks \(command) --now 2025-11-03T23:30:00Z
        status=$?
        diff -r events before && exit $status
        """)
      #expect(said.text == "")
      #expect(
        said.errors.contains("Europe/Berlin")
          && said.errors.contains("has no time-zone database (install tzdata"))
      #expect([3, 5].contains(said.status))
    }

    @Test func `without a time zone database a ledger in UTC works`()
      throws
    {
      let said = try script(
        """
        streaks init meditation --zone UTC --now 2025-11-01T12:00:00Z && streaks log meditation 5m --now 2025-11-02T12:00:00Z
        streaks show --on 2026-01-01 -q
        """, ["TZDIR": "/nowhere"])
      #expect(said.status == 0 && said.errors == "")
    }

    @Test(arguments: [
      ("Asia/Tokyo", "Asia/Tokyo"), (":Asia/Tokyo", "Asia/Tokyo"),
      ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
      ("UTC", "UTC"),
    ])
    func `a new ledger has the zone that TZ names`(variable: String, zone: String) throws {
      let said = try script("streaks init meditation", ["TZ": variable])
      #expect(said.text == "a new ledger in events, \(zone): meditation\n")
    }

    @Test(arguments: [
      "bogus", "CET-1CEST", "UTC+5", "GMT-2", ":Europe/Berln", "/usr/share/zoneinfo/Nowhere",
    ])
    func `an unknown TZ is refused only if the zone of the machine is needed`(
      variable: String
    ) throws {
      let refused = try script("streaks init meditation", ["TZ": variable])
      #expect(refused.text == "" && refused.status == 2)
      #expect(refused.errors.contains("the variable TZ is \"\(variable)\""), "\(refused.errors)")
      let named = try script(
        "streaks init meditation --zone Asia/Tokyo && streaks log meditation 5m && streaks show -q",
        ["TZ": variable])
      #expect(named.status == 0, "\(named.errors)")
    }

    @Test func `TZ may be empty or name the machine's own file`() throws {
      for variable in ["", ":", ":/etc/localtime"] {
        #expect(try script("streaks init meditation", ["TZ": variable]).status == 0)
      }
    }

    @Test func `an older name of a zone is found in the database's list of links`() throws {
      let said = try script(
        """
        mkdir -p zones/Asia && cp /usr/share/zoneinfo/Asia/Kolkata zones/Asia
        echo 'L Asia/Kolkata Asia/Calcutta' > zones/tzdata.zi
        export TZDIR=$PWD/zones
        streaks init meditation --zone Asia/Calcutta --now 2025-11-01T18:29:59Z && streaks show --now 2025-11-01T18:30:00Z
        """)
      #expect(said.text.contains("\nSunday, 2025-11-02 · Asia/Calcutta\n"), "\(said)")
    }

    @Test func `without a time zone database init refuses the zone that TZ names`() throws {
      let said = try script(
        "streaks init meditation; ls", ["TZ": "Asia/Tokyo", "TZDIR": "/nowhere"])
      #expect(said.errors.contains("\"Asia/Tokyo\"") && said.errors.contains("install tzdata"))
      #expect(!said.text.contains("events"))
    }
  #endif
}
