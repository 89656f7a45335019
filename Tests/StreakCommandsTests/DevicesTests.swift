import StreakCommands
import TestSupport
import Testing

struct DevicesTests {
  @Test func `entries made on two devices while they were apart are one streak once the files meet`() throws {
    let phone = try TemporaryLedger()
    try phone.run(all: "init morning_ritual\nlog morning_ritual completed --writer phone")
    let laptop = try TemporaryLedger()
    for name in ["main", "phone"] { try laptop.write(phone.bytes(of: name), to: "\(name).jsonl") }
    laptop.now = "2025-11-04T12:00:00+01:00"
    try laptop.run(all: "log morning_ritual completed --writer laptop")
    phone.now = "2025-11-05T12:00:00+01:00"
    try phone.run(all: "log morning_ritual completed --writer phone")
    #expect(phone.run("show --json")["habits.morning_ritual.current"] == "2")
    try phone.write(laptop.bytes(of: "laptop"), to: "laptop.jsonl")
    try laptop.write(phone.bytes(of: "phone"), to: "phone.jsonl")
    laptop.now = phone.now
    #expect(phone.run("show --json")["habits.morning_ritual.current"] == "3")
    #expect(phone.run("replay --json").text == laptop.run("replay --json").text)
    #expect(phone.run("verify").status == .done)
  }

  @Test func `a copy of the files is the whole ledger`() throws {
    let ledger = try TemporaryLedger()
    try ledger.run(
      all: "init noalc game\nlog noalc steady\nlog game completed\nremind --set noalc\ncelebrate --seen")
    let copy = try TemporaryLedger()
    try copy.write(ledger.bytes(), to: "main.jsonl")
    for command in ["replay --json", "show --json", "calendar noalc game --json", "audit --history --json"] {
      #expect(copy.run(command) == ledger.run(command), "\(command)")
    }
    try copy.run(all: "log noalc steady")
    #expect(copy.run("verify").status == .done)
  }
}
