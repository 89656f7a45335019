import CommandFixtures
import EventLog
import Foundation
import Imports
import StreakCommands
import StreakDomain
import Testing

struct HealthFileTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc meditation")
  }

  private let drink = HealthXML.drinks("2025-11-01 19:00", "1")

  private func refused(_ bytes: [UInt8], _ name: String = "export.xml") throws -> Output {
    let ledger = try ledger()
    let before = ledger.bytes()
    let path = try ledger.file(name, bytes)
    let output = ledger.run(["import", "apple-health", path])
    #expect(output.text == "")
    #expect(ledger.bytes() == before)
    return Output(
      text: output.text, errors: output.errors.replacing(ledger.folder + "/", with: ""),
      status: output.status
    )
  }

  private func refused(_ text: String) throws -> Output { try refused(Array(text.utf8)) }

  @Test(
    .enabled(if: TestPrograms.has("unzip"), "there is no unzip"),
    arguments: [
      "apple_health_export/export.xml", "export.xml", "apple_health_export/导出.xml",
      "a/Export [1].xml",
    ])
  func `a Health export is found in its zip under different names`(name: String) throws {
    let ledger = try ledger()
    let zip = StoredZip.make([
      ("apple_health_export/export_cda.xml", "<x/>"), (name, HealthXML.export([drink])),
      ("apple_health_export/workout-routes/route.gpx", "<gpx/>"),
    ])
    let path = try ledger.file("export.zip", zip)
    #expect(ledger.run(["import", "apple-health", path]).screen.contains("imported 1 entry"))
  }

  @Test(arguments: ["<?pi?><HealthData>@</HealthData>", "<HealthData><?pi?>@</HealthData><?x?>"])
  func `an XML processing instruction without content is skipped`(text: String) throws {
    let ledger = try ledger()
    let path = try ledger.file("export.xml", text.replacing("@", with: drink))
    #expect(ledger.run(["import", "apple-health", path]).screen.contains("imported 1 entry"))
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `a zip without an export is refused with a list of its files`() throws {
    let zip = StoredZip.make([("photos/a.jpg", "x"), ("b.txt", "y")])
    let output = try refused(zip, "export.zip")
    #expect(output.status == .badData)
    #expect(
      output.errors.hasSuffix("export.zip\" has no export.xml; it contains photos/a.jpg, b.txt\n"))
  }

  @Test(.enabled(if: TestPrograms.has("unzip"), "there is no unzip"))
  func `a zip that is damaged or expands too much is refused`() throws {
    let whole = StoredZip.make([("export.xml", HealthXML.export([drink]))])
    #expect(
      try refused(Array(whole.prefix(200)), "export.zip").errors.contains("is damaged or encrypted")
    )
    var flipped = whole
    flipped[400] ^= 1
    #expect(try refused(flipped, "export.zip").errors.contains("is damaged or encrypted"))
    let bomb = try Data(
      contentsOf: URL(fileURLWithPath: Repository.root + "/Tests/Fixtures/imports/swelling.zip"))
    let output = try refused(Array(bomb), "export.zip")
    #expect(output.status == .badData)
    #expect(output.errors.contains("grows to more than 250 times its size"))
  }

  @Test func `a Health export can be read from standard input`() throws {
    let ledger = try ledger()
    let output = ledger.run("import apple-health -", input: HealthXML.export([drink]))
    #expect(output.text.contains("imported 1 entry from -: noalc 1"))
  }

  @Test(arguments: [
    "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;&lol;&lol;\">]>",
    "<!DOCTYPE x [<!ENTITY lol SYSTEM \"file:///etc/passwd\">]>",
    "<!DOCTYPE x [<!ENTITY % p \"x\"> %p;]>",
    "<!DOCTYPE x [<!ATTLIST a b CDATA \"]>\"><!-- ]> --><?pi ]>?><!ENTITY lol \"lol\">]>",
    "<!DOCTYPE HealthData SYSTEM \"file:///etc/passwd\">",
    "<!DOCTYPE HealthData PUBLIC \"-//X//Y\" \"http://localhost/x.dtd\" []>",
  ])
  func `a document type cannot declare entities or make the import read other files`(
    declared: String
  )
    throws
  {
    #expect(try steps([Array(HealthXML.export([drink], documentType: declared).utf8)]).count == 6)
    let output = try refused(
      HealthXML.export([drink.replacing("Diary", with: "&lol;")], documentType: declared))
    #expect(output.status == .badData && output.errors.contains("an entity that is not declared"))
  }

  private func steps(_ pieces: [some Collection<UInt8>]) throws(Failure) -> [String] {
    var rest = pieces[...]
    let source = ByteSource("export.xml") { () throws(Failure) in
      Array(rest.popFirst().map { Array($0) } ?? [])
    }
    var (scanner, steps) = (try XMLScanner(source), [String]())
    while let tag = try scanner.next() {
      if tag.isStart { steps.append("<\(tag.name) \(tag.place.line):\(tag.place.column)>") }
      if tag.isEnd { steps.append("</\(tag.name)>") }
    }
    return steps
  }

  private func reason(_ bytes: some Collection<UInt8>) -> Failure? {
    do throws(Failure) {
      _ = try steps([bytes])
      return nil
    } catch { return error }
  }

  @Test(arguments: ["<!--@-->", "<a b='@'/>", "<?a @?>"])
  func `a comment, attribute or processing instruction of more than 8 MiB is refused`(part: String)
    throws
  {
    let long = part.replacing("@", with: String(repeating: " ", count: 9 << 20))
    let bytes = Array((long + "<HealthData/>").utf8)
    let pieces = stride(from: 0, to: bytes.count, by: 1 << 20).map {
      bytes[$0..<min($0 + 1 << 20, bytes.count)]
    }
    #expect(throws: Failure.self) { try steps(pieces) }
  }

  @Test func `a Health record with 300,000 attributes is read in linear time`() throws {
    func time(_ count: Int) throws -> Duration {
      let fields = (0..<count).map { " a\($0)='x'" }.joined()
      let text = HealthXML.export([drink.replacing("<Record", with: "<Record\(fields)")])
      return try ContinuousClock().measure { _ = try steps([Array(text.utf8)]) }
    }
    _ = try time(100)
    #expect(try time(300_000) < .seconds(60))
  }

  @Test func `a Health export that is cut off at any byte is refused`() throws {
    let whole = Array(HealthXML.export([drink, drink]).utf8)
    let root = try #require(whole.firstRange(of: Array("<HealthData ".utf8))).upperBound
    #expect(reason(whole) == nil && reason(whole.dropLast()) == nil)
    for length in root..<whole.count - 1 {
      let message = reason(whole.prefix(length))?.message ?? "none"
      #expect(message.contains("the file ends in the middle"), "\(length): \(message)")
    }
    for length in 0..<root { #expect(reason(whole.prefix(length)) != nil, "\(length)") }
    #expect(try refused(Array(whole.prefix(root + 100))).status == .badData)
  }

  @Test
  func `a file that is not a Health export in well-formed UTF-8 XML is refused with the location`()
    throws
  {
    for (text, says) in [
      (
        HealthXML.export(["<Record type=\"x\"></Recrd>"]),
        "export.xml:15:19: not well-formed XML: an end tag"
      ),
      (
        HealthXML.export(["<Record type=x/>"]), "export.xml:15:2: not well-formed XML: an attribute"
      ),
      ("<html><body/></html>", "export.xml:1:1: the file begins with <html>, not <HealthData>"),
      ("day,minutes\n", "export.xml:1:1: expected XML, or a zip"),
      ("", "export.xml:1:1: the file ends in the middle"),
    ] {
      let output = try refused(text)
      #expect(output.status == .badData)
      #expect(output.errors.hasPrefix(says), "\(output.errors)")
    }
    var latin = Array(HealthXML.export([drink]).utf8)
    latin[try #require(latin.firstRange(of: Array("Diary".utf8))).lowerBound] = 0xE9
    #expect(try refused(latin).errors.contains("bytes that are no UTF-8"))
  }

  @Test func `an attribute value of many megabytes is refused`() throws {
    let long = drink.replacing("Diary", with: String(repeating: "x", count: 11_000_000))
    #expect(
      try refused(HealthXML.export([long])).errors.contains("a text or name that is far too long"))
  }

  @Test func `an invalid Health record is left out with its reason and location`() throws {
    let running = HealthXML.workout(
      "Running", "2025-11-01 07:00", "2025-11-01 07:30", "duration=\"-30\"")
    for (element, says) in [
      (
        drink.replacing(" +0100", with: ""),
        "has no time with its zone, in the years 1900 to 2199, as \"startDate\""
      ),
      (drink.replacing(" +0100", with: " CET"), "has no time with its zone"),
      (drink.replacing("startDate", with: "start"), "has no time with its zone"),
      (running, "has a value below 0, or none that is finite"),
      (HealthXML.mindful("2025-11-01 07:20", "2025-11-01 07:00"), "ends before it starts"),
    ] {
      let output = try ledger().importHealth([drink, element], "--verbose")
      #expect(output.status == .done && output.text.contains("imported 1 entry"))
      #expect(output.text.contains("export.xml:16:2: a record: \(says)"), "\(output)")
    }
  }

  @Test
  func `a Health record outside the calendar or below 0 is left out, and the others are imported`()
    throws
  {
    let ledger = try ledger()
    let output = try ledger.importHealth([
      drink, drink.replacing("value=\"1\"", with: "value=\"-1\""),
      drink.replacing("value=\"1\"", with: "value=\"inf\""),
      HealthXML.drinks("0001-01-01 00:00", "1"),
      HealthXML.mindful("2025-11-01 07:00", "4001-02-28 07:20"),
    ])
    #expect(output.status == .done)
    #expect(output.text.contains("in the years 1900 to 2199, as \"startDate\"\n"), "\(output.text)")
    #expect(output.text.contains("in the years 1900 to 2199, as \"endDate\"\n"))
    #expect(output.text.contains("    2  have a value below 0, or none that is finite\n"))
    #expect(ledger.entries(of: "noalc", "drinks") == ["1"])
  }

  @Test func `importing a missing file or a folder is refused`() throws {
    let ledger = try ledger()
    #expect(
      ledger.run("import apple-health nosuch.xml").screen.contains(
        "there is no file \"nosuch.xml\""))
    let export = try ledger.file("export.xml", "<HealthData/>")
    let unmapped = ledger.run(["import", "apple-health", export, "--map", "nomap.json"])
    #expect(unmapped.errors.contains("there is no file \"nomap.json\""))
    let folder = ledger.run(["import", "apple-health", ledger.events])
    #expect(folder.status == .usage && folder.errors.contains("is a folder; give the file in it"))
    #expect(ledger.run("import apple-health").status == .usage)
    #expect(ledger.run("import apple-helth x").errors.contains("(did you mean \"apple-health\"?)"))
  }

  @Test(arguments: [1, 2, 3, 7, 64])
  func `a Health export that is read in pieces of any size gives the same elements`(size: Int)
    throws
  {
    let bytes = Array(
      HealthXML.export([drink, HealthXML.mindful("2025-11-01 07:00", "2025-11-01 07:20")]).utf8)
    let pieces = stride(from: 0, to: bytes.count, by: size).map {
      bytes[$0..<min($0 + size, bytes.count)]
    }
    let found = try steps(pieces)
    #expect(try found == steps([bytes[...]]) && found.count == 8)
    #expect(found[5] == "<Record 16:2>", "\(found)")
  }

  @Test func `importing from a path that is a pipe is refused`() throws {
    let ledger = try ledger()
    let path = ledger.folder + "/pipe"
    let isMade = unsafe mkfifo(path, 0o600) == 0
    try #require(isMade)
    for kind in ["apple-health", "loop", "csv --habit noalc"] {
      let output = ledger.run(["import"] + TemporaryLedger.words(kind) + [path])
      #expect(
        output.status == .usage && output.errors.contains("is not a file but a pipe or a device"))
    }
  }
}
