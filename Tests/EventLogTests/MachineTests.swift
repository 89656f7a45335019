import CommandFixtures
import DomainFixtures
import EventLog
import Foundation
import StreakDomain
import Testing

struct MachineTests {
  private static func name(
    _ host: String, _ id: String = "id", in folder: String = "/ledger/events"
  )
    -> String
  {
    Machine(host: host, id: id).segment(in: folder)
  }

  @Test(arguments: [
    ("Annas-Laptop.fritz.box", "annas-laptop"), ("vm", "vm"), ("", "host"), (".local", "host"),
    ("A_b c'd", "a-b-c-d"), ("Käthe", "k-the"), ("日本", "host"), ("-x", "x"),
    (String(repeating: "h", count: 60), String(repeating: "h", count: 40)),
  ])
  func `the name of a machine's segment begins with the host name in plain letters`(
    host: String, wanted: String
  ) {
    let name = MachineTests.name(host)
    #expect(name.dropLast(7) == wanted)
    #expect(Syntax.isWriter(name) && name == name.lowercased())
  }

  @Test
  func `the name of a machine's segment ends with a digest of the machine id and the folder path`()
  {
    let digest = SHA256(of: Array("3d12\n/ledger/events".utf8)).digest()
    #expect(MachineTests.name("vm", "3d12") == "vm-" + digest.prefix(6))
    #expect(MachineTests.name("vm", "3d12") != MachineTests.name("vm", "3d13"))
    #expect(MachineTests.name("vm") != MachineTests.name("vm", in: "/ledger/other"))
  }

  @Test func `the name of a machine's segment is the same for every path to the folder`() throws {
    let files = FileManager.default
    let room = try TemporaryLedger()
    let early = MachineTests.name("vm", in: room.folder + "/a/b/events")
    try files.createDirectory(
      atPath: room.folder + "/a/b/events", withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: room.folder + "/link", withDestinationPath: "a/b")
    try files.createSymbolicLink(atPath: room.folder + "/direct", withDestinationPath: "a/b/events")
    let paths = [
      "/a/b/events", "/a/b/events/", "/a//b/../b/events", "/link/events", "/direct",
      "/link/../b/events//",
    ]
    for path in paths {
      #expect(MachineTests.name("vm", in: room.folder + path) == early, "\(path)")
    }
    #expect(
      MachineTests.name("vm", in: room.folder + "/link/new")
        == MachineTests.name("vm", in: room.folder + "/a/b/new"))
    #expect(
      MachineTests.name("vm", in: "new")
        == MachineTests.name("vm", in: files.currentDirectoryPath + "/new/"))
    #expect(MachineTests.name("vm", in: "/") == MachineTests.name("vm", in: "//"))
  }

  @Test func `every host name gives a valid writer name`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<2_000 {
      var host = ""
      for _ in 0..<random.below(60) {
        let value = UInt32(random.below(random.chance(70) ? 0x80 : 0x2_0000))
        host.unicodeScalars.append(Unicode.Scalar(value) ?? "é")
      }
      #expect(Syntax.isWriter(MachineTests.name(host)), "seed 1: \(host.debugDescription)")
    }
  }
}
