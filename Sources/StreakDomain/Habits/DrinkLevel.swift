/// The three levels of the NoAlc presets: their bands, their colours, and the number a health store keeps for each.
package enum DrinkLevel: String, CaseIterable, Sendable {
  case steady, easy, wild

  /// Whole drinks, from the lowest to the highest; nil has no end.
  package var band: (low: Int, high: Int?) {
    switch self {
    case .steady: (0, 1)
    case .easy: (2, 5)
    case .wild: (6, nil)
    }
  }

  /// The representative count that represents the level in a health store (domain.md, "Presets").
  package var healthValue: Int {
    switch self {
    case .steady: 0
    case .easy: 4
    case .wild: 6
    }
  }

  /// Red, green and blue from 0 to 255.
  package var colour: (red: Int, green: Int, blue: Int) {
    switch self {
    case .steady: (0x0E, 0xBF, 0x6E)
    case .easy: (0x89, 0xD6, 0xB2)
    case .wild: (0xB6, 0xB6, 0xB6)
    }
  }

  /// The level that a count of drinks falls into, be it counted or a health value; nil below zero.
  package init?(drinks: Int) {
    guard let level = DrinkLevel.allCases.last(where: { drinks >= $0.band.low }) else { return nil }
    self = level
  }
}
