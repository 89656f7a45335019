import EventLog
import StreakDomain

extension Failure {
  static func notImported(_ error: SystemError) -> Failure {
    if error.isFolder { return .ofFile(error) }
    return error.isNotFound
      ? Failure(.usage, "there is no file \(quoted(error.path))")
      : Failure(.system, "nothing was imported: \(error)")
  }

  static func noUnzip(archive: String) -> Failure {
    Failure(
      .noProgram, "\(quoted(archive)) is a zip, and there is no unzip to unpack it",
      remedy: "install it, or unpack the file yourself and import what is in it")
  }

  static func brokenArchive(archive: String, status: Int32) -> Failure {
    Failure(
      .refused,
      """
      \(quoted(archive)) is damaged or encrypted (unzip ended with \(status)), so nothing was \
      imported
      """,
      remedy: "export it again")
  }

  static func otherEncoding(_ place: Place, _ problem: Sentence, from encoding: String) -> Failure {
    Failure(
      .refused, problem,
      remedy: .program("convert the original, such as with `iconv -f \(encoding) -t utf-8`"),
      at: place)
  }

  static func badField(_ place: Place, text: String, field: String, value: String, form: Sentence)
    -> Failure
  {
    Failure(
      .refused, "\(quoted(field)) is \(quoted(value)); it must be \(form)", at: place, text: text)
  }

  static func ragged(_ place: Place, text: String, expected: Int, actual: Int) -> Failure {
    Failure(
      .refused,
      """
      the row has \(counted(actual, "field")) where \(expected) \(expected == 1 ? "is" : "are") \
      expected
      """,
      remedy: .program("quote a field that contains the separator, or use --separator"), at: place,
      text: text)
  }
}
