/// Carries a state to bytes and back: a part says once what it is made of, and that is written or read.
///
/// Bytes are only good for the program that wrote them, as values lie there as in its memory. Who reads them makes sure
/// of that, and that they are whole. Bytes that are wrong all the same bring empty parts and `isBroken`.
@safe package struct StateCoder {
  /// How the log writes events.
  package struct EventForm: Sendable {
    let line: @Sendable (Event) -> [UInt8]
    let event: @Sendable ([UInt8]) -> Event?

    package init(
      line: @escaping @Sendable (Event) -> [UInt8], event: @escaping @Sendable ([UInt8]) -> Event?
    ) {
      (self.line, self.event) = (line, event)
    }
  }

  private let form: EventForm
  /// What is read; nil while writing.
  private let stored: StoredBytes?
  private let output: (UnsafeRawBufferPointer) -> Void
  /// Written, and not handed out yet.
  private var waiting: [UInt8] = []
  /// How far it has come.
  private var place = 0
  package private(set) var isBroken = false

  package var isReading: Bool { stored != nil }

  /// Whether all was read that there is.
  package var isAtEnd: Bool { place == stored?.count }

  /// Reads.
  package init(_ stored: StoredBytes, from start: Int, _ form: EventForm) {
    unsafe (self.stored, self.form, output, place) = (stored, form, { _ in }, start)
  }

  /// Writes behind the first bytes of a file; `output` takes the bytes, in order.
  package init(from start: Int, _ form: EventForm, output: @escaping (UnsafeRawBufferPointer) -> Void) {
    unsafe (stored, self.form, self.output, place) = (nil, form, output, start)
  }

  /// Takes note of what cannot be.
  package mutating func fail() { isBroken = true }

  /// Hands out what was written.
  package mutating func flush() {
    unsafe waiting.withUnsafeBytes(output)
    waiting.removeAll(keepingCapacity: true)
  }

  /// Takes the number of bytes that come next, where there are so many.
  private mutating func take(_ count: Int, of stride: Int) -> Range<Int> {
    guard let stored, !isBroken, count >= 0, count <= (stored.count - place) / max(1, stride) else {
      isBroken = true
      return 0..<0
    }
    defer { place += count * stride }
    return place..<place + count * stride
  }

  private mutating func write(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count > 1 << 16 {
      flush()
      unsafe output(bytes)
    } else {
      unsafe waiting.append(contentsOf: bytes)
      if waiting.count > 1 << 16 { flush() }
    }
    place += bytes.count
  }

  // MARK: Values that are nothing but their bytes

  package mutating func value<Value: BitwiseCopyable>(_ value: inout Value) {
    guard let stored else { return unsafe withUnsafeBytes(of: value) { unsafe write($0) } }
    let range = take(1, of: MemoryLayout<Value>.size)
    guard !range.isEmpty else { return }
    value = unsafe stored.withBytes(range) { unsafe $0.loadUnaligned(as: Value.self) }
  }

  private mutating func count(_ count: Int) -> Int {
    var count = count
    value(&count)
    return isBroken ? 0 : count
  }

  package mutating func list<Value: BitwiseCopyable>(_ list: inout [Value]) {
    let (count, stride) = (count(list.count), MemoryLayout<Value>.stride)
    guard let stored else { return unsafe list.withUnsafeBytes { unsafe write($0) } }
    let range = take(count, of: stride)
    // Room for nothing would be written to the empty list that all share.
    guard !range.isEmpty else { return list = [] }
    list = unsafe stored.withBytes(range) { bytes in
      unsafe [Value](unsafeUninitializedCapacity: range.count / stride) { target, filled in
        if let base = target.baseAddress, let source = bytes.baseAddress {
          unsafe UnsafeMutableRawPointer(base).copyMemory(from: source, byteCount: bytes.count)
        }
        filled = range.count / stride
      }
    }
  }

  package mutating func lists<Value: BitwiseCopyable>(_ lists: inout [[Value]]) {
    let count = count(lists.count)
    guard isReading else {
      for each in lists {
        var each = each
        list(&each)
      }
      return
    }
    lists = []
    while lists.count < count, !isBroken {
      lists.append([])
      list(&lists[lists.count - 1])
    }
  }

  /// A list that is left where it is.
  package mutating func list<Value>(_ list: inout LongList<Value>) {
    let (count, stride) = (count(list.count), MemoryLayout<Value>.stride)
    // Where values of all kinds may lie.
    var padding = [UInt8](repeating: 0, count: -place & 15)
    guard let stored else {
      unsafe padding.withUnsafeBytes { unsafe write($0) }
      return unsafe list.eachPart { unsafe write($0) }
    }
    _ = take(padding.count, of: 1)
    let range = take(count, of: stride)
    list = LongList(stored, from: range.lowerBound, count: range.count / stride)
    padding = []
  }

  // A range is not known to be nothing but its bytes.
  package mutating func value<Bound: BitwiseCopyable>(_ range: inout ClosedRange<Bound>) {
    var ends = [range.lowerBound, range.upperBound]
    list(&ends)
    if ends.count == 2, ends[0] <= ends[1] { range = ends[0]...ends[1] } else { isBroken = true }
  }

  package mutating func value<Bound: BitwiseCopyable>(_ range: inout ClosedRange<Bound>?) {
    var ranges = range.map { [$0] } ?? []
    list(&ranges)
    range = ranges.first
  }

  package mutating func list<Bound: BitwiseCopyable>(_ ranges: inout [ClosedRange<Bound>]) {
    var ends = ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    list(&ends)
    guard isReading else { return }
    ranges = stride(from: 0, to: ends.count - 1, by: 2).compactMap {
      ends[$0] <= ends[$0 + 1] ? ends[$0]...ends[$0 + 1] : nil
    }
    if ranges.count * 2 != ends.count { isBroken = true }
  }

  package mutating func set<Value: BitwiseCopyable & Hashable>(_ set: inout Set<Value>) {
    var values = Array(set)
    list(&values)
    if isReading { set = Set(values) }
  }

  // MARK: Texts and events

  package mutating func text(_ text: inout String) {
    var bytes = Array(text.utf8)
    list(&bytes)
    if isReading { text = String(decoding: bytes, as: UTF8.self) }
  }

  package mutating func event(_ event: inout Event?) {
    var line = event.map(form.line) ?? []
    list(&line)
    guard isReading else { return }
    event = form.event(line)
    if event == nil { isBroken = true }
  }

  // MARK: Parts

  package mutating func part<Part: StoredPart>(_ part: inout Part) { part.pass(&self) }

  package mutating func part<Part: StoredPart>(_ part: inout Part?) {
    var isThere = part != nil
    value(&isThere)
    guard isThere else { return part = nil }
    var some = part ?? Part()
    some.pass(&self)
    part = some
  }

  package mutating func parts<Part: StoredPart>(_ parts: inout [Part]) {
    let count = count(parts.count)
    guard isReading else {
      for part in parts {
        var part = part
        part.pass(&self)
      }
      return
    }
    parts = []
    while parts.count < count, !isBroken {
      var part = Part()
      part.pass(&self)
      parts.append(part)
    }
  }

  /// A dictionary, whose keys come in any order.
  package mutating func parts<Key: StoredPart & Hashable, Part: StoredPart>(_ parts: inout [Key: Part]) {
    var (keys, values) = (Array(parts.keys), Array(parts.values))
    self.parts(&keys)
    self.parts(&values)
    guard isReading, !isBroken else { return }
    parts = Dictionary(zip(keys, values)) { $1 }
  }
}

/// What a `StateCoder` carries.
package protocol StoredPart {
  init()
  /// Has the coder write each thing that it is made of, or read it.
  mutating func pass(_ coder: inout StateCoder)
}

extension String: StoredPart {
  package mutating func pass(_ coder: inout StateCoder) { coder.text(&self) }
}

extension Text: StoredPart {
  package init() { self.init("") }

  package mutating func pass(_ coder: inout StateCoder) {
    var string = string
    coder.text(&string)
    self = Text(string)
  }
}

/// A value that is nothing but its bytes, where a part is asked for.
extension StoredPart where Self: BitwiseCopyable {
  package mutating func pass(_ coder: inout StateCoder) { coder.value(&self) }
}
