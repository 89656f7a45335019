import StreakDomain
import TestSupport
import Testing

struct DrinkLevelTests {
  @Test(
    arguments: [
      (0, "steady"), (1, "steady"), (2, "easy"), (5, "easy"), (6, "wild"), (100, "wild"), (-1, nil),
    ] as [(Int, String?)])
  func `drinks fall into the bands 0 to 1, 2 to 5, and 6 and more`(drinks: Int, level: String?) {
    #expect(DrinkLevel(drinks: drinks)?.rawValue == level)
  }

  @Test(arguments: [(DrinkLevel.steady, 0), (.easy, 4), (.wild, 6)])
  func `a level is kept as 0, 4 or 6 and read back as the same level`(level: DrinkLevel, value: Int) {
    #expect(level.healthValue == value)
    #expect(DrinkLevel(drinks: value) == level)
  }

  @Test(arguments: [(DrinkLevel.steady, 0x0EBF6E), (.easy, 0x89D6B2), (.wild, 0xB6B6B6)])
  func `each level has its colour`(level: DrinkLevel, colour: Int) {
    #expect(level.colour.red << 16 + level.colour.green << 8 + level.colour.blue == colour)
  }

  @Test(arguments: [Preset.noalc, .noalcStrict])
  func `both presets have the three levels with their bands, and steady alone is good`(preset: Preset) {
    let levels = preset.definition.rule.levels
    #expect(
      levels.bands == [
        Level(name: "steady", low: 0, high: 1), Level(name: "easy", low: 2, high: 5),
        Level(name: "wild", low: 6, high: nil),
      ])
    #expect(levels.good == ["steady"])
  }

  @Test(arguments: [
    (Preset.noalc, "SSSSSSSWS", "ggggggghg", "+7 -8"),
    (.noalcStrict, "SSSSSSSWS", "gggggggbg", "+7 !8"),
    (.noalc, "SSSSSSSES", "ggggggghg", "+7 -8"),
    (.noalcStrict, "SSSSSSSES", "ggggggghg", "+7 -8"),
    (.noalcStrict, "SSSSSSS.S", "ggggggghg", "+7 -8"),
    (.noalcStrict, "SSWS", "ggbg", ""),
    (.noalcStrict, "SSES", "ggbg", ""),
    (.noalcStrict, "SSSSSSSEWS", "ggggggghbg", "+7 -8"),
    (.noalcStrict, "SSSSSSWS", "ggggggbg", ""),
  ])
  func `noalc heals a wild day, noalc-strict breaks on it and takes a joker if one is held`(
    preset: Preset, days: String, verdicts: String, book: String
  ) {
    let history = History(preset.definition, days)
    #expect(history.verdicts == verdicts)
    #expect(history.book == book)
  }
}
