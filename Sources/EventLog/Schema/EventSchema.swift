/// What a line of the log may be, as JSON Schema 2020-12: what one line shows by itself, as far as the language can
/// say it.
///
/// The file is beside this one and is built into the program.
package enum EventSchema {
  package static var json: [UInt8] { PackageResources.event_schema_json }
}
