import EventLog
import Foundation
import TestSupport

/// A JSON Schema that lines are held against, by the validator that comes with Debian's python3-jsonschema.
struct SchemaValidator {
  static let isThere = (try? run("import jsonschema", "")) != nil

  private let schema: String

  /// The schema of the lines of a segment.
  static let event = SchemaValidator(schema: String(decoding: EventSchema.json, as: UTF8.self))

  /// One of the schemas in docs/openapi.json, by its name.
  static func api(_ name: String) throws -> SchemaValidator {
    let document = try Repository.text("docs/openapi.json")
    // A reference beside the whole document, so that those inside it lead somewhere.
    let reference = #"{"$ref":"\u0023/components/schemas/\#(name)","#
    return SchemaValidator(schema: reference + document.dropFirst())
  }

  private init(schema: String) {
    self.schema = schema.replacing("\n", with: "")
  }

  /// The numbers from 1 of the lines that the schema refuses.
  func refused(_ lines: [String]) throws -> [Int] {
    let program = """
      import json, sys, jsonschema
      schema = json.loads(sys.stdin.readline())
      jsonschema.Draft202012Validator.check_schema(schema)
      validator = jsonschema.Draft202012Validator(schema)
      for number, line in enumerate(sys.stdin, 1):
          try:
              event = json.loads(line)
          except ValueError:
              print(number)
              continue
          if next(validator.iter_errors(event), None): print(number)
      """
    return try SchemaValidator.run(program, ([schema] + lines).joined(separator: "\n") + "\n")
      .split(separator: "\n").compactMap { Int($0) }
  }

  private static func run(_ program: String, _ input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-W", "ignore", "-c", program]
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("streaks-\(UUID().uuidString)")
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
