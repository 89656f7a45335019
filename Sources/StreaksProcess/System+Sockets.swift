#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// Starts a thread with a stack as large as the main thread's; returns false if no thread can be created.
  static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    final class Body {
      let run: @Sendable () -> Void
      init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // Unsafe only because the new thread takes ownership of the pointer, once.
    let pointer = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    let code = unsafe pthread_create(
      &thread, &attributes,
      { pointer in
        #if canImport(Darwin)
          let body = unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
        #else
          guard let pointer = unsafe pointer else { return nil }
          let body = unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue()
        #endif
        body.run()
        return nil
      }, pointer)
    unsafe pthread_attr_destroy(&attributes)
    if code != 0 { unsafe Unmanaged<Body>.fromOpaque(pointer).release() }
    return code == 0
  }

  /// Waits for at most `time` for `event`, such as POLLIN, or 0 for the connection's end; returns whether it occurred.
  static func wait(for descriptor: Int32, _ event: Int32, _ time: Duration) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    return unsafe poll(&polled, 1, Int32(time / .milliseconds(1)) + 1) > 0
  }

  static func ready(among descriptors: [Int32], milliseconds: Int32) -> [Int32] {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Unsafe only because `poll` writes into the array, whose length is passed.
    guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
    return polled.filter { $0.revents != 0 }.map(\.fd)
  }

  static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  /// Closes a connection after its response; reads for up to two seconds, as unread input could destroy the response.
  static func finish(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_WR))
    let end = ContinuousClock.now + .seconds(2)
    while ContinuousClock.now < end, wait(for: descriptor, POLLIN, ContinuousClock.now.duration(to: end)) {
      if receive(from: descriptor)?.isEmpty == true { break }
    }
    close(descriptor)
  }

  /// Returns the bytes that have arrived, an empty array at the end of the stream, or `nil` if nothing has arrived yet.
  static func receive(from descriptor: Int32) -> [UInt8]? {
    var isEmpty = false
    // Unsafe only because the call fills memory, whose size is passed.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, filled in
      let count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      isEmpty = count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
      filled = max(0, count)
    }
    return isEmpty ? nil : bytes
  }

  /// Sends as many bytes as possible without waiting, and returns their number, or `nil` on an error.
  static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    // Unsafe only because the call reads memory, whose size is passed.
    let count = unsafe bytes.withUnsafeBytes { unsafe systemSend(descriptor, $0.baseAddress, $0.count) }
    if count >= 0 { return count }
    return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? 0 : nil
  }
}

// Outside the type, because members of the same names would hide these system calls.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemSend(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe send(descriptor, memory, count, 0)
}
