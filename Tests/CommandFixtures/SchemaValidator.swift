import EventLog
import Foundation
import StreakServer

/// Validates lines against a JSON Schema with Debian's python3-jsonschema.
package struct SchemaValidator {
  package static let isThere = (try? run("import jsonschema", "")) != nil

  private let schema: String

  package static let event = SchemaValidator(
    schema: String(decoding: EventSchema.json, as: UTF8.self))

  package static func api(_ name: String) -> SchemaValidator {
    let document = String(decoding: Route.openAPI, as: UTF8.self)
    let reference = #"{"$ref":"\u0023/components/schemas/\#(name)","#
    return SchemaValidator(schema: reference + document.dropFirst())
  }

  private init(schema: String) {
    self.schema = schema.replacing("\n", with: "")
  }

  /// Returns the rejected lines by their numbers from 1, each with the first reason.
  package func refused(_ lines: [String]) throws -> [Int: String] {
    let program = """
      import json, sys, jsonschema
      schema = json.loads(sys.stdin.readline())
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      for number, line in enumerate(sys.stdin, 1):
          try:
              event = json.loads(line)
          except ValueError:
              print(number, "not valid JSON")
              continue
          error = next(validator.iter_errors(event), None)
          if error: print(number, error.json_path, error.message[:400].replace(chr(10), " "))
      """
    let found = try SchemaValidator.run(program, ([schema] + lines).joined(separator: "\n") + "\n")
    let refused = found.split(separator: "\n").compactMap { line in
      Int(line.prefix { $0 != " " }).map { ($0, String(line.drop { $0 != " " }.dropFirst())) }
    }
    return Dictionary(uniqueKeysWithValues: refused)
  }

  private static func run(_ program: String, _ input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-W", "ignore", "-c", program]
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "streaks-\(UUID().uuidString)")
    try Data(input.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    process.standardInput = try FileHandle(forReadingFrom: file)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableNotLoadable) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
