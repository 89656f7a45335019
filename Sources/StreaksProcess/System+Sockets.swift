#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// Raises the limit of open files to the system's maximum, or 65,536.
  static func allowManyFiles() {
    var limit = rlimit()
    #if canImport(Glibc)
      let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let files = RLIMIT_NOFILE
    #endif
    guard unsafe getrlimit(files, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    _ = unsafe setrlimit(files, &limit)
  }

  /// Starts a thread with a stack as large as the main thread's; returns false if none can be created.
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

  static func wait(for descriptor: Int32, _ event: Int32, milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    var count: Int32 = 0
    repeat { count = unsafe poll(&polled, 1, milliseconds) } while count < 0 && errno == EINTR
    return count > 0
  }

  static func ready(among descriptors: [Int32], milliseconds: Int32) -> Set<Int32> {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Unsafe only because `poll` writes into the array, whose length it gets.
    guard unsafe poll(&polled, nfds_t(polled.count), milliseconds) > 0 else { return [] }
    return Set(polled.filter { $0.revents != 0 }.map(\.fd))
  }

  static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

  /// Whether the other side has closed the connection; closing only its sending direction doesn't count.
  static func isHungUp(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&polled, 1, 0) > 0 && polled.revents & Int16(POLLHUP) != 0
  }

  /// Returns the bytes that have arrived, none at the end of the stream, or `nil` if nothing has arrived yet.
  static func receive(from descriptor: Int32) -> [UInt8]? {
    var isEmpty = false
    // Unsafe only because the call fills memory, whose size it gets.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 14) { buffer, filled in
      var count = 0
      repeat {
        count = unsafe recv(descriptor, buffer.baseAddress, buffer.count, 0)
      } while count < 0 && errno == EINTR
      isEmpty = count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)
      filled = max(0, count)
    }
    return isEmpty ? nil : bytes
  }

  /// Sends as many bytes as possible without waiting, and returns their number, or `nil` on an error.
  static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    // Unsafe only because the call reads memory, whose size it gets.
    let count = unsafe bytes.withUnsafeBytes { buffer in
      var count = 0
      repeat {
        count = unsafe systemSend(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      return count
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : nil
  }
}

// Outside the type, because its members of the same names would hide these functions.
private func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func systemSend(_ descriptor: Int32, _ memory: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe send(descriptor, memory, count, 0)
}
