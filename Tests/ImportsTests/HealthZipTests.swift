import CommandFixtures
import Foundation
import StreakCommands
import StreakDomain
import Testing

struct HealthZipTests {
  private let drink = HealthXML.drinks("2025-11-01 19:00", "1")

  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc meditation")
  }

  @Test(
    .enabled(if: TestPrograms.has("unzip"), "there is no unzip"),
    arguments: ["export[1].zip", "ex*t.zip", "export?.zip", "ex\\port.zip", "-o.zip", "[a].zip"])
  func `a zip whose name contains wildcards or begins with a hyphen is read by its exact name`(
    name: String
  )
    throws
  {
    let ledger = try ledger()
    // The names in the archive would match these files if they were used as patterns.
    for other in ["export1.zip", "ext.zip", "exaport.zip", "export.zip", "a.zip"] {
      _ = try ledger.file(other, StoredZip.make([("export.xml", HealthXML.export([]))]))
    }
    _ = try ledger.file(name, StoredZip.make([("export.xml", HealthXML.export([drink]))]))
    for path in [
      "\(ledger.folder)/\(name)", "./\(ledger.folder)/\(name)".replacing(".//", with: "/"),
    ] {
      #expect(
        ledger.run(["import", "apple-health", path, "--dry-run"]).text.contains(
          "would import 1 entry"))
    }
  }

  @Test func `unzip is stopped if the import stops before the end of the file`() throws {
    let ledger = try ledger()
    let program = try ledger.file(
      "unzip",
      """
      #!/bin/sh\ncase $1 in -Z1) echo export.xml; exit;; esac\necho $$ >\(ledger.folder)/pid\nexec \
      yes '<html>'\n
      """
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    ledger.searchPath = "\(ledger.folder):/usr/bin:/bin"
    let path = try ledger.file("export.zip", StoredZip.make([("export.xml", "")]))

    // The system doesn't run a file that a process of another test, begun meanwhile, still has open
    // for writing.
    var output = ledger.run(["import", "apple-health", path])
    for _ in 0..<100 where output.errors.contains("there is no unzip") {
      output = ledger.run(["import", "apple-health", path])
    }
    #expect(output.errors.contains("begins with <html>"))
    let id = try String(contentsOfFile: ledger.folder + "/pid", encoding: .utf8).filter(\.isNumber)
    #expect(kill(try #require(Int32(id)), 0) == -1 && errno == ESRCH)
  }

  @Test func `a zip on standard input is refused with advice`() throws {
    let zip = StoredZip.make([("export.xml", "<HealthData/>")])
    let ledger = try ledger()
    let output = ledger.run("import apple-health -", input: String(decoding: zip, as: UTF8.self))
    #expect(output.status == .badData)
    #expect(output.errors.contains("standard input is a zip, and a zip is read from a file only"))
    #expect(
      ledger.run("import loop -", input: String(decoding: zip, as: UTF8.self)).status == .badData)
  }
}
