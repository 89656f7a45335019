import Imports
import StreakDomain
import Testing

struct DrinkLevelValueTests {
  @Test(arguments: [(DrinkLevel.steady, 0), (.easy, 4), (.wild, 6)])
  func `a level is kept as 0, 4 or 6 and read back as the same level`(level: DrinkLevel, value: Int) {
    #expect(level.healthValue == value)
    #expect(DrinkLevel(drinks: value) == level)
  }
}
