import EventLog
import Inspection
import StreakDomain

extension Command {
  static let pin = Command(
    name: "pin", group: .check, words: "",
    summary: "write the ledger's results to a file to compare with",
    options: [
      json, Option("--at", .point, "a position, an event id, a day, a time, or end (default: end)"),
    ],
    details: [
      "One line per habit and month: one sign per day as in `calendar`, the run after the last, and the jokers earned (+),",
      "spent (-), taken (!) or forfeited (o). Then, to detect a changed history, a digest of each event without its texts.",
      "`streaks verify --against FILE` names the first event, habit, day and field that differ.",
      "",
      "  streaks pin > ledger.pin", "  streaks pin --at 2025-10-31",
    ],
    example: Example(
      line: "streaks pin --at 2024-09-30",
      answer: [
        "streaks-pin 1",
        "fold 3",
        "…",
      ]), isForPeople: false
  ) { invocation throws(Failure) in
    let pinning = Pinning(invocation: invocation)
    let point = try invocation.words.point("--at") ?? .end
    let (pin, loaded) = try pinning.pin(at: point)
    try invocation.reader.check(point, reached: loaded)
    if invocation.isJSON {
      invocation.print(pin.json.line)
    } else {
      for line in pin.lines { invocation.print(line) }
    }
    return .done
  }
}

/// Pins, made and compared.
struct Pinning {
  let invocation: Invocation

  /// The pin of a point, on the state's own today.
  func pin(at point: Point) throws(Failure) -> (Pin, LoadedLedger) {
    var events = PinnedEvents()
    var walk = try invocation.reader.walk(to: point, wanting: .events)
    while try walk.next() {
      if let event = walk.item.event { events.add(event) }
    }
    let loaded = try walk.end()
    return (Pin(loaded.ledger, events: events), loaded)
  }

  /// Reads the bytes of a pin of the subject that is asked for.
  func read(_ bytes: [UInt8], of file: String) throws(Failure) -> Pin {
    let pinned: Pin
    switch Pin.read(bytes) {
    case .success(let read): pinned = read
    case .failure(let bad):
      throw .refused(
        "\(Escaping.visible(file)):\(bad.number): this is no line of a pin; `streaks pin > FILE` makes one")
    }
    return pinned
  }

  /// Compares the ledger, up to the last event of a pin, with what the pin says of it.
  func comparison(with pinned: Pin) throws(Failure) -> PinComparison {
    let (now, loaded, isGone) = try reached(by: pinned)
    var comparison = PinComparison(pinned: pinned)
    comparison.change = pinned.events.change(to: now.events)
    if let change = comparison.change {
      comparison.note(change, in: loaded.ledger)
      let isLate = change.isOnlyAdded && !isGone && invocation.arguments.has("--allow-late")
      comparison.isHistory = !isLate
      if isLate {
        let ids = change.added.map { "id:" + loaded.ledger.id(at: $0 + 1) }
        let without = Pinning(invocation: invocation.with(invocation.arguments.with("--without", ids)))
        let (rest, ledger) = try without.pin(at: pinned.last.map { .event($0) } ?? .position(0))
        comparison.difference = PinDifference.first(pinned, rest, ledger.ledger)
      } else {
        comparison.difference = PinDifference.first(pinned, now, loaded.ledger)
      }
    } else {
      comparison.difference = PinDifference.first(pinned, now, loaded.ledger)
    }
    return comparison
  }

  /// The ledger up to the last pinned event, or to as many events where that is gone.
  private func reached(by pinned: Pin) throws(Failure) -> (Pin, LoadedLedger, isGone: Bool) {
    guard let last = pinned.last else {
      let (pin, loaded) = try pin(at: .position(0))
      return (pin, loaded, false)
    }
    let (now, loaded) = try pin(at: .event(last))
    guard loaded.event != last else { return (now, loaded, false) }
    let (cut, ledger) = try pin(at: .position(pinned.position))
    return (cut, ledger, true)
  }
}
