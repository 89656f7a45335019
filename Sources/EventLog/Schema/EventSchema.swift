/// The JSON Schema 2020-12 of a single line of the log, as far as the schema language can express it.
package enum EventSchema {
  package static var json: [UInt8] { PackageResources.event_schema_json }
}
