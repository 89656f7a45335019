import Inspection
import StreakDomain

extension Difference {
  var members: JSON.Members {
    [
      "changes": .list(changes.map(\.json)),
      "verdicts": .list(verdicts.flatMap(\.json)),
      "books": .list(
        books.map { book in
          .object([
            "habit": .text(book.habit), "removed": .list(book.removed.map { $0.json(of: book.habit) }),
            "added": .list(book.added.map { $0.json(of: book.habit) }),
          ])
        }),
      "achievements": .object(["unlocked": .texts(unlocked), "revoked": .texts(revoked)]),
    ]
  }

  func document(from: PlacedEvent, to: PlacedEvent, events: [String]) -> JSON {
    var members = members
    members["format"] = .whole(1)
    members["from"] = from.json
    members["to"] = to.json
    members["events"] = .texts(events)
    return .object(members)
  }
}

extension PlacedEvent {
  var json: JSON { .object(["position": .whole(position), "event": .text(event)]) }
}

extension FieldChange {
  var json: JSON {
    .object(["path": .text(field.description), "before": before.json, "after": after.json])
  }
}

extension VerdictChange {
  var json: [JSON] {
    (days.lowerBound.number...days.upperBound.number).map { number in
      .object([
        "habit": .text(habit), "day": .day(Day(unchecked: number)), "before": .text(before?.rawValue),
        "after": .text(after?.rawValue),
      ])
    }
  }
}

extension StateValue {
  var json: JSON {
    switch self {
    case .null: .null
    case .number(let number): .number(number)
    case .day(let day): .day(day)
    case .text(let text): .text(text)
    case .keys(let keys): .texts(keys)
    }
  }
}
