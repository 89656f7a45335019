import Dispatch
import EventLog
import StreakDomain
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Wakes waiting tasks when a folder is written to.
///
/// File system events do so at once. A timer of a few seconds covers disks without events, such as network
/// shares. Writes while nobody waits are combined into one wake.
final class FolderWatch: Sendable {
  private let folder: String
  private let seconds: Double
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let sources: Mutex<[any DispatchSourceProtocol]>
  private let timer: Mutex<any DispatchSourceTimer>
  #if canImport(Darwin)
    private let watched = Mutex<Set<String>>([])
  #else
    private let descriptor: Int32
  #endif

  init(_ folder: StreakFolder) {
    (self.folder, seconds) = (folder.shared.path, folder.pause)
    let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    (self.wakes, self.wake) = (wakes, wake)
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(
      deadline: .now() + seconds, repeating: seconds, leeway: .microseconds(Int(seconds * 20_000)))
    timer.setEventHandler { wake.yield() }
    timer.resume()
    self.timer = Mutex(timer)
    #if canImport(Darwin)
      sources = Mutex([])
    #else
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      sources = Mutex(descriptor >= 0 ? [FolderWatch.events(descriptor, wake)] : [])
    #endif
  }

  deinit {
    timer.withLock { $0.cancel() }
    sources.withLock { for source in $0 { source.cancel() } }
  }

  /// Waits for the next wake or the task's cancellation.
  func wait() async {
    var wakes = wakes.makeAsyncIterator()
    if await wakes.next() != nil { return }
    // The cancellation of another waiting task has ended the stream for all.
    try? await Task.sleep(for: .seconds(seconds))
  }

  #if canImport(Darwin)
    /// Watches the folder and its segments; call it before each read, in case the folder was replaced.
    ///
    /// The folder's own events report only created and deleted files, so each segment is watched separately.
    func arm() {
      let names = ((try? SystemDisk().names(in: folder)) ?? []).filter(EventStream.isSegment)
      let paths = Set([folder] + names.map { "\(folder)/\($0)" })
      sources.withLock { sources in
        let isSame = watched.withLock { watched in
          defer { watched = paths }
          return watched == paths
        }
        if isSame, sources.allSatisfy({ !$0.isCancelled }) { return }
        for source in sources { source.cancel() }
        sources = paths.sorted().compactMap { FolderWatch.events(of: $0, wake) }
      }
    }

    private static func events(
      of path: String, _ wake: AsyncStream<Void>.Continuation
    ) -> (any DispatchSourceProtocol)? {
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: .global())
      source.setEventHandler {
        // A deleted or renamed file is opened again by its path at the next `arm`.
        if !source.data.isDisjoint(with: [.delete, .rename]) { source.cancel() }
        wake.yield()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      return source
    }
  #else
    /// Watches the folder, unless it is watched; call it before each read, in case the folder was replaced.
    func arm() {
      let kinds =
        IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
      _ = unsafe inotify_add_watch(descriptor, folder, UInt32(kinds) | UInt32(IN_ONLYDIR))
    }

    private static func events(
      _ descriptor: Int32, _ wake: AsyncStream<Void>.Continuation
    ) -> any DispatchSourceProtocol {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      source.setEventHandler {
        // The contents don't matter: the segments show what happened.
        var room = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &room, room.count) > 0 {}
        wake.yield()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      return source
    }
  #endif
}

/// The file stamps of a folder's segments, which show whether anything was written since they were taken.
struct FolderStamp: Equatable, Sendable {
  private var segments: [String: FileStamp] = [:]

  /// Creates the stamp of `folder`, or `nil` if its files cannot be listed.
  init?(_ folder: String, on disk: any Disk) {
    guard let names = try? disk.names(in: folder) else { return nil }
    for name in names where EventStream.isSegment(name) {
      segments[name] = (try? disk.stamp(of: "\(folder)/\(name)")) ?? nil
    }
  }

  /// Runs `body` with the folder's stamp, up to three times if it fails because the folder is changing.
  static func reading<Value>(
    _ folder: String, on disk: any Disk, _ body: (FolderStamp?) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    var attempts = 3
    while true {
      let stamp = FolderStamp(folder, on: disk)
      do throws(Failure) { return try body(stamp) } catch {
        attempts -= 1
        guard attempts > 0, FolderStamp(folder, on: disk) != stamp else { throw error }
      }
    }
  }
}

extension Failure {
  /// Whether the failure may disappear without a change of a segment: an error of the disk, not of a line.
  var mayPass: Bool { [.system, .vanished].contains(kind) }
}
