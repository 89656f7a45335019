/// SHA-256 (FIPS 180-4), fed piece by piece: the seal of a closed day needs no library for it.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// What is left of the bytes so far, fewer than a block has.
  private var rest: [UInt8] = []
  private var length: UInt64 = 0
  private var schedule = [UInt32](repeating: 0, count: 64)
  private static let block = 64

  package init() {
    rest.reserveCapacity(SHA256.block)
  }

  package mutating func update(_ bytes: ArraySlice<UInt8>) { update(bytes.span) }

  package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  private mutating func update(_ bytes: Span<UInt8>) {
    length += UInt64(bytes.count)
    var position = 0
    if !rest.isEmpty {
      while position < bytes.count, rest.count < SHA256.block {
        rest.append(bytes[position])
        position += 1
      }
      guard rest.count == SHA256.block else { return }
      let block = rest
      compress(block.span, at: 0)
      rest.removeAll(keepingCapacity: true)
    }
    while bytes.count - position >= SHA256.block {
      compress(bytes, at: position)
      position += SHA256.block
    }
    while position < bytes.count {
      rest.append(bytes[position])
      position += 1
    }
  }

  /// The digest of everything so far, as 64 lowercase hexadecimal digits.
  package func digest() -> String {
    var text: [UInt8] = []
    text.reserveCapacity(64)
    for word in words() {
      for place in stride(from: 28, through: 0, by: -4) {
        text.append(SHA256.digits[Int(word >> place & 15)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// The digest of everything so far, as eight words.
  package func words() -> [UInt32] {
    var last = self
    let bits = length * 8
    var end: [UInt8] = [0x80]
    while (rest.count + end.count) % SHA256.block != 56 { end.append(0) }
    for index in 0..<8 { end.append(UInt8(truncatingIfNeeded: bits >> (56 - 8 * index))) }
    last.update(end.span)
    return last.state
  }

  package static func digest(of bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.digest()
  }

  private mutating func compress(_ bytes: Span<UInt8>, at start: Int) {
    for index in 0..<16 {
      let byte = start + index * 4
      schedule[index] =
        UInt32(bytes[byte]) << 24 | UInt32(bytes[byte + 1]) << 16 | UInt32(bytes[byte + 2]) << 8
        | UInt32(bytes[byte + 3])
    }
    for index in 16..<64 {
      let a = schedule[index - 15]
      let b = schedule[index - 2]
      let small0 = rotated(a, 7) ^ rotated(a, 18) ^ (a >> 3)
      let small1 = rotated(b, 17) ^ rotated(b, 19) ^ (b >> 10)
      schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let big1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ SHA256.constants[index] &+ schedule[index]
      let big0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
      let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  @inline(__always)
  private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
