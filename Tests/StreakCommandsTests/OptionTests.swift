import CommandFixtures
import StreakCommands
import StreakDomain
import Testing

struct OptionTests {
  private func words(of command: any Command.Type, with option: StreakCommands.Option) -> [String] {
    let kind = option.kinds.first ?? command.words.kinds.first
    return command.words.words.filter(\.isRequired).enumerated().map {
      $0.offset == 0 ? kind ?? "noalc" : "noalc"
    }
  }

  @Test
  func `an import or export option is refused with kinds that are not listed in its help`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    var count = 0
    for command in TemporaryLedger.commands {
      for option in command.options where !option.kinds.isEmpty {
        #expect(Set(option.kinds).isSubset(of: command.words.kinds))
        #expect(option.help.hasPrefix(option.kinds.joined(separator: ", ") + ": "))
        let given = [option.name] + (option.value == nil ? [] : ["2025"])
        for other in command.words.kinds where !option.kinds.contains(other) {
          let output = ledger.run([command.name, other, "noalc"] + given)
          #expect(
            output.status == .usage && output.errors.contains(", not with \(other)"),
            "\(output.screen)")
          count += 1
        }
      }
    }
    #expect(count > 10)
  }

  @Test func `an option only excludes or needs options of the same command`() {
    for command in TemporaryLedger.commands {
      let names = command.allOptions.map(\.name)
      for option in command.allOptions {
        for other in option.excludes + option.needs.filter({ $0.hasPrefix("-") }) {
          #expect(names.contains(other), "\(command.name) \(option.name): \(other)")
        }
      }
    }
  }

  @Test func `two options that exclude each other are refused by every command that has them`()
    throws
  {
    let ledger = try TemporaryLedger(running: "init noalc")
    var count = 0
    for command in TemporaryLedger.commands {
      for option in command.options {
        for other in option.excludes {
          let both = try [option.name, other].flatMap { name in
            let value = try #require(command.allOptions.first { $0.name == name }).value
            return [name] + (value == nil ? [] : ["1"])
          }
          let output = ledger.run([command.name] + words(of: command, with: option) + both)
          #expect(output.status == .usage, "\(command.name): \(output.screen)")
          let pairs = ["\(option.name) and \(other)", "\(other) and \(option.name)"]
          #expect(
            pairs.contains { output.errors.contains("\($0) do not go together") },
            "\(output.errors)")
          count += 1
        }
      }
    }
    #expect(count > 10)
  }

  @Test func `an invalid option value is refused with the expected form`() throws {
    let ledger = try TemporaryLedger(running: "init noalc")
    var count = 0
    for command in TemporaryLedger.commands {
      for option in command.allOptions {
        guard let form = option.value?.mustBe, option.value?.takes("!?") == false else { continue }
        let output = ledger.run(
          [command.name] + words(of: command, with: option) + [option.name, "!?"])
        #expect(
          output.errors.contains("\(option.name) is \"!?\"; it must be \(form)"), "\(output.errors)"
        )
        count += 1
      }
    }
    #expect(count > 20)
  }
}
