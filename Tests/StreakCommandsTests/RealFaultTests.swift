import CommandFixtures
import Foundation
import StreakCommands
import Testing

struct RealFaultTests {
  private func ledger() throws -> TemporaryLedger {
    try TemporaryLedger(running: "init noalc\nlog noalc steady")
  }

  /// Runs a shell command in which `$S` is the program and `$L` the ledger's folder.
  private func shell(_ line: String, _ ledger: TemporaryLedger) throws -> ShellScript.Result {
    let variables = [
      "S": BuiltProgram.url.path, "L": ledger.events, "STREAKS_EVENTS": ledger.events,
      "STREAKS_WRITER": "main", "N": "--now 2025-11-03T13:00:00+01:00",
    ]
    return try ShellScript(
      text: "exec 2>&1\n" + line, folder: ledger.folder, environment: variables
    ).run()
  }

  private func batch(_ count: Int) -> [UInt8] {
    let note = String(repeating: "n", count: 200)
    return (0..<count).flatMap {
      Array(
        #"""
        {"id":"m\#($0)","type":"entry.logged","habit":"noalc","level":"steady","note":"\#(note)"}
        """#
        .utf8)
        + [10]
    }
  }

  @Test(
    .enabled(
      if: !isThreadSanitized, "the thread sanitizer keeps a file of its own and needs its size"))
  func `an append beyond the file size limit writes nothing and reports an error`() throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    try ledger.write(batch(300), to: "../many.jsonl")
    let output = try shell("ulimit -f 16; $S append many.jsonl $N", ledger)
    #expect(output.status == 5)
    #expect(output.text.contains("nothing was written: cannot write to"), "\(output.text)")
    #expect(ledger.bytes() == before)
  }

  @Test(.enabled(if: canMount, "mounting takes rights that are not here"))
  func `an append on a full disk writes nothing and reports an error`() throws {
    let ledger = try ledger()
    try ledger.write(batch(300), to: "../many.jsonl")
    let output = try shell(
      """
      mkdir full && mount -t tmpfs -o size=32k none full && cp $L/main.jsonl full/
      $S append many.jsonl $N --events full; status=$?
      cmp $L/main.jsonl full/main.jsonl || status=9
      umount full; exit $status
      """, ledger)
    #expect(output.status == 5, "\(output.text)")
    #expect(output.text.contains("No space left on device"), "\(output.text)")
  }

  static let isThreadSanitized =
    ProcessInfo.processInfo.environment["STREAKS_SANITIZER"] == "thread"

  static let canMount =
    ShellScript.succeeds("d=$(mktemp -d) && mount -t tmpfs none $d && umount $d && rmdir $d")

  @Test(.enabled(if: ShellScript.succeeds(drop + "true"), "the superuser may write anywhere"))
  func `log in a read-only folder reports that the permission is missing`() throws {
    let ledger = try ledger()
    let output = try shell(
      """
      chmod 755 . $L; chmod 644 $L/main.jsonl; chmod 555 $L; \(RealFaultTests.drop) $S log noalc \
      steady $N
      """,
      ledger)
    #expect(output.status == 5, "\(output.text)")
    #expect(output.text.contains("Permission denied"), "\(output.text)")
    _ = try shell("chmod 755 $L", ledger)
  }

  static let drop = geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

  @Test(.enabled(if: ShellScript.succeeds(drop + "true"), "the superuser may write anywhere"))
  func `log uses another user's lock, and reports the owner of a lock that cannot be opened`()
    throws
  {
    let ledger = try ledger()
    let log = "\(RealFaultTests.drop) $S log noalc steady $N --writer other"
    let read = try shell(
      "chmod 755 .; chmod 777 $L; chmod 644 $L/main.jsonl $L/.lock; \(log)", ledger)
    #expect(read.status == 0, "\(read.text)")
    #expect(ledger.stored(in: "other").count == 1)
    let held = try shell("flock $L/.lock \(log) --wait 0", ledger)
    #expect(
      held.status == 5 && held.text.contains("another program has been writing"), "\(held.text)")
    let shut = try shell("chmod 600 $L/.lock; \(log)", ledger)
    #expect(shut.status == 5, "\(shut.text)")
    #expect(
      shut.text.contains(
        """
        /.lock: Permission denied; it belongs to \"root\"; `chmod a+r` on it lets others lock it, \
        too
        """
      ),
      "\(shut.text)")
  }

  @Test(.enabled(if: ShellScript.succeeds(drop + "true"), "the superuser may write anywhere"))
  func `log to another user's segment is refused with the owner's name and advice`() throws {
    let ledger = try ledger()
    let before = ledger.bytes()
    let output = try shell(
      """
      chmod 755 .; chmod 777 $L; chmod 644 $L/main.jsonl $L/.lock; \(RealFaultTests.drop) $S log \
      noalc steady $N
      """,
      ledger)
    #expect(output.status == 5)
    #expect(
      output.text.contains(
        """
        /main.jsonl: Permission denied; it belongs to \"root\"; write another segment with \
        --writer NAME
        """
      ),
      "\(output.text)")
    #expect(ledger.bytes() == before)
  }

  @Test(arguments: ["ln -s main.jsonl", "ln -s nowhere", "ln -s /dev/null", "mkfifo", "mkdir"])
  func `a lock that is not a regular file is refused, and nothing is written`(make: String) throws {
    let ledger = try ledger()
    let before = ledger.contents()?.filter { $0.key.hasSuffix(".jsonl") }
    let output = try shell("rm $L/.lock; \(make) $L/.lock; $S log noalc steady $N", ledger)
    #expect(output.status == 5, "\(output.text)")
    #expect(
      output.text.contains("nothing was written: cannot ") && output.text.contains("/.lock"),
      "\(output.text)"
    )
    #expect(try shell("test -e $L/nowhere", ledger).status == 1)
    #expect(ledger.contents()?.filter { $0.key.hasSuffix(".jsonl") } == before)
    #expect(try shell("$S show $N", ledger).status == 0)
  }

  @Test(arguments: [
    "ln -s main.jsonl $L/x.jsonl", "ln -s /dev/null $L/x.jsonl", "mkfifo $L/x.jsonl",
    "mkdir $L/x.jsonl",
  ])
  func `a segment that is not a regular file is refused for reading and for writing`(make: String)
    throws
  {
    let ledger = try ledger()
    let before = ledger.bytes()
    for command in ["show", "log noalc steady", "log noalc steady --writer x", "verify"] {
      let output = try shell("\(make) 2>/dev/null; $S \(command) $N", ledger)
      #expect(output.status == 5, "\(command): \(output.text)")
      #expect(output.text.contains("x.jsonl"), "\(command): \(output.text)")
    }
    #expect(ledger.bytes() == before)
  }

  @Test func `log does not create a missing ledger folder again`() throws {
    let ledger = try ledger()
    let output = try shell("rm -r $L; $S log noalc steady $N", ledger)
    #expect(output.status == 1, "\(output.text)")
    #expect(output.text.contains("there is no ledger at"), "\(output.text)")
    #expect(!FileManager.default.fileExists(atPath: ledger.events))
  }

  @Test func `a ledger path that is a broken symbolic link is an error for every command`() throws {
    let ledger = try ledger()
    for command in ["show", "init", "log noalc steady", "append", "verify"] {
      let output = try shell("rm -rf $L; ln -s nowhere $L; $S \(command) $N </dev/null", ledger)
      #expect(output.status == 5, "\(command): \(output.text)")
      #expect(
        output.text.contains("cannot find what the symbolic link leads to:"),
        "\(command): \(output.text)")
    }
  }

  @Test func `a segment whose name is not UTF-8 is refused with advice`() throws {
    let ledger = try ledger()
    let output = try shell(#"cp $L/main.jsonl "$L/$(printf 'a\377').jsonl"; $S show $N"#, ledger)
    #expect(output.status == 5)
    #expect(output.text.contains("its name is not UTF-8; rename it"), "\(output.text)")
  }

  @Test func `log stops waiting for a lock that is never released`() throws {
    let ledger = try ledger()
    let output = try shell(
      "exec 9>>$L/.lock; flock -x 9; $S log noalc steady $N --wait 0.1", ledger)
    #expect(output.status == 5, "\(output.text)")
    #expect(output.text.contains("another program has been writing for 0.1 s"), "\(output.text)")
  }

  @Test func `init waits for a lock, and of eight simultaneous inits only one creates the ledger`()
    throws
  {
    let ledger = try ledger()
    let output = try shell(
      """
      mkdir own; exec 9>>own/.lock; flock -x 9; $S init $N --events own --wait 0.1; echo $?; ls -A own
      rm own/.lock; $S init noalc $N --events own >/dev/null; echo $?
      """, ledger)
    #expect(output.text.hasSuffix("\n5\n.lock\n0\n"), "\(output.text)")
    let race = try shell(
      """
      export S N
      seq 8 | xargs -P 8 -I{} sh -c '$S init noalc $N --events race --wait 9 2>&1 | grep -o "a new ledger"'
      $S verify --events race
      """, ledger)
    #expect(race.text == "a new ledger\n", "\(race.text)")
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
  func `an answer that cannot be printed causes exit code 5, unless an event was recorded`() throws
  {
    let ledger = try ledger()
    #expect(try shell("$S show $N >/dev/full", ledger).status == 5)
    let output = try shell("$S log noalc steady --id told $N >/dev/full", ledger)
    #expect(output.status == 0)
    #expect(
      output.text.contains("recorded, and only the answer could not be printed"), "\(output.text)")
    #expect(ledger.stored("told", "level") == "steady")
    let line = #"{"type":"entry.logged","habit":"noalc","level":"steady"}"#
    let each = try shell("echo '\(line)' | $S append --each $N >/dev/full", ledger)
    #expect(each.status == 6 && each.text.contains("recorded up to line 1"), "\(each.text)")
    #expect(try shell("$S append $N <&-", ledger).status == 5)
  }

  @Test
  func `new files are accessible only to the owner, and a stricter umask restricts them further`()
    throws
  {
    let ledger = try ledger()
    let listing = "stat -c %a $D $D/main.jsonl $D/.lock"
    let made = try shell("umask 000; D=made; $S init $N --events $D >/dev/null; \(listing)", ledger)
    #expect(made.text == "700\n600\n600\n")
    let strict = try shell("umask 277; D=strict; $S init $N --events $D; stat -c %a $D", ledger)
    #expect(strict.text.hasSuffix("500\n"), "\(strict.text)")
  }
}
