/// The hash function SHA-256 (FIPS 180-4), implemented here to avoid a dependency.
package struct SHA256 {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The message schedule; its first 16 words are the current block.
  private var schedule = [UInt32](repeating: 0, count: 64)
  private var length: UInt64 = 0
  private static let block = 64

  package init() {}

  package mutating func update(_ bytes: ArraySlice<UInt8>) { update(bytes.span) }

  package mutating func update(_ bytes: [UInt8]) { update(bytes.span) }

  private mutating func update(_ bytes: Span<UInt8>) {
    var position = 0
    while position < bytes.count {
      if isBetweenBlocks, bytes.count - position >= SHA256.block {
        for index in 0..<16 {
          let byte = position + index * 4
          schedule[index] =
            UInt32(bytes[byte]) << 24 | UInt32(bytes[byte + 1]) << 16 | UInt32(bytes[byte + 2]) << 8
            | UInt32(bytes[byte + 3])
        }
        position += SHA256.block
        length += UInt64(SHA256.block)
        SHA256.compress(&schedule, &state)
      } else {
        append(bytes[position])
        position += 1
      }
    }
  }

  private var isBetweenBlocks: Bool { length % UInt64(SHA256.block) == 0 }

  private mutating func append(_ byte: UInt8) {
    let word = Int(length % UInt64(SHA256.block)) / 4
    schedule[word] = schedule[word] << 8 | UInt32(byte)
    length += 1
    if isBetweenBlocks { SHA256.compress(&schedule, &state) }
  }

  package consuming func words() -> [UInt32] {
    let bits = length * 8
    append(0x80)
    while length % UInt64(SHA256.block) != 56 { append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    return state
  }

  private static func compress(_ schedule: inout [UInt32], _ state: inout [UInt32]) {
    var schedule = schedule.mutableSpan
    let constants = SHA256.constants.span
    for index in 16..<64 {
      let a = schedule[index - 15]
      let b = schedule[index - 2]
      let small0 = a.rotated(by: 7) ^ a.rotated(by: 18) ^ (a >> 3)
      let small1 = b.rotated(by: 17) ^ b.rotated(by: 19) ^ (b >> 10)
      schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
    }

    var a = state[0]
    var b = state[1]
    var c = state[2]
    var d = state[3]
    var e = state[4]
    var f = state[5]
    var g = state[6]
    var h = state[7]
    for index in 0..<64 {
      let big1 = e.rotated(by: 6) ^ e.rotated(by: 11) ^ e.rotated(by: 25)
      let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ schedule[index]
      let big0 = a.rotated(by: 2) ^ a.rotated(by: 13) ^ a.rotated(by: 22)
      let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
      h = g
      g = f
      f = e
      e = d &+ first
      d = c
      c = b
      b = a
      a = first &+ second
    }

    for (index, word) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= word }
  }

  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

extension SHA256 {
  package consuming func bytes() -> [UInt8] {
    words().flatMap { word in
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
  }

  package consuming func digest() -> String {
    let digits = bytes().flatMap { byte in
      [SHA256.digits[Int(byte >> 4)], SHA256.digits[Int(byte & 15)]]
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  package init(of bytes: ArraySlice<UInt8>) { update(bytes) }

  package init(of bytes: [UInt8]) { update(bytes) }
}

extension UInt32 {
  fileprivate func rotated(by count: UInt32) -> UInt32 { self >> count | self << (32 - count) }
}
