import StreakCommands
import StreakDomain
import Testing

struct LevelColourTests {
  @Test(arguments: [(DrinkLevel.steady, 0x0EBF6E), (.easy, 0x89D6B2), (.wild, 0xB6B6B6)])
  func `each level has its colour`(level: DrinkLevel, colour: Int) {
    #expect(level.colour.red << 16 + level.colour.green << 8 + level.colour.blue == colour)
  }
}
