import StreakDomain

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that are mapped into memory, and what this program is.
enum MappedFile {
  /// The bytes of a file that belongs to this user alone; nil for any other.
  ///
  /// They are not copied: who changes the file in its place changes them. Programs that replace it by another do not.
  static func bytes(of path: String) -> StoredBytes? {
    let descriptor = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0
    else { return nil }
    let count = Int(status.st_size)
    #if os(Linux)
      let flags = MAP_PRIVATE | MAP_POPULATE
    #else
      let flags = MAP_PRIVATE
    #endif
    let mapped = unsafe mmap(nil, count, PROT_READ, flags, descriptor, 0)
    guard let memory = unsafe mapped, unsafe memory != MAP_FAILED else { return nil }
    return unsafe StoredBytes(UnsafeMutableRawBufferPointer(start: memory, count: count)) {
      unsafe _ = munmap($0.baseAddress, $0.count)
    }
  }

  /// What the system says of the file that this program's code is in; another program has another stamp.
  static var program: FileStamp? {
    #if os(Linux)
      return FileStamp("/proc/self/exe", followsLinks: true)
    #else
      var found = Dl_info()
      guard unsafe dladdr(#dsohandle, &found) != 0, let path = unsafe found.dli_fname else { return nil }
      return unsafe FileStamp(String(cString: path), followsLinks: true)
    #endif
  }
}
