import CommandFixtures

extension TemporaryLedger {
  /// Imports `table` with `options`; the output names the file `table.csv`.
  func importTable(_ table: String, _ options: String) throws -> Output {
    let path = try file("table.csv", table)
    let output = run(["import", "csv", path] + TemporaryLedger.words(options))
    return Output(
      text: output.text.replacing(folder + "/", with: ""),
      errors: output.errors.replacing(folder + "/", with: ""), status: output.status)
  }
}
