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

/// A watch that checks a folder for changes.
///
/// It checks at the start, after each file-system event, and regularly for disks without events.
final class FolderWatch<State: Sendable>: Sendable {
  private let folder: StreakFolder
  private let state: Mutex<State>
  private let check: @Sendable (StreakFolder, inout State) -> Void
  private let queue = DispatchQueue(label: "StreakFolder", qos: .userInitiated)
  private let sources = Mutex<[any DispatchSourceProtocol]>([])
  #if canImport(Darwin)
    private let watched = Mutex<Set<String>>([])
  #else
    private let descriptor: Int32
  #endif

  /// Starts a watch.
  ///
  /// The first call of `check` gets `state`, and each later call gets the state that the previous
  /// one left.
  init(
    _ folder: StreakFolder, checking state: State,
    _ check: @escaping @Sendable (StreakFolder, inout State) -> Void
  ) {
    self.folder = folder
    self.check = check
    self.state = Mutex(state)
    #if !canImport(Darwin)
      descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    #endif
    sources.withLock { sources in
      sources.append(timer())
      #if !canImport(Darwin)
        if descriptor >= 0 { sources.append(events()) }
      #endif
    }
  }

  private func timer() -> sending any DispatchSourceProtocol {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now(), repeating: folder.pause, leeway: .microseconds(Int(folder.pause * 20_000)))
    timer.setEventHandler { self.wake() }
    timer.resume()
    return timer
  }

  /// Ends the watch; until then, the watch's timer and event sources keep it in memory.
  func cancel() {
    sources.withLock { sources in
      for source in sources { source.cancel() }
      sources = []
    }
  }

  private func wake() {
    // The folder may have been replaced, and it must be watched before it is read.
    arm()
    state.withLock { check(folder, &$0) }
  }

  #if canImport(Darwin)
    /// Watches the folder and each segment, because the folder's own events don't report appended
    /// lines.
    private func arm() {
      let path = folder.path
      let names = ((try? folder.disk.names(in: path)) ?? []).filter(EventStream.isSegment)
      let paths = Set([path] + names.map { "\(path)/\($0)" })
      sources.withLock { sources in
        let isSame = watched.withLock { watched in
          defer { watched = paths }
          return watched == paths
        }
        // The first source is the timer; without it the watch was cancelled.
        guard let timer = sources.first, !isSame || sources.contains(where: \.isCancelled) else {
          return
        }
        for source in sources.dropFirst() { source.cancel() }
        sources = [timer] + paths.sorted().compactMap(events)
      }
    }

    private func events(of path: String) -> sending (any DispatchSourceProtocol)? {
      let descriptor = unsafe open(path, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .extend, .delete, .rename], queue: queue)
      source.setEventHandler {
        // A deleted or renamed file is opened again by its path at the next `arm`.
        if !source.data.isDisjoint(with: [.delete, .rename]) { source.cancel() }
        self.wake()
      }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      return source
    }
  #else
    private func arm() {
      let kinds =
        IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
        | IN_MOVE_SELF
      _ = unsafe inotify_add_watch(descriptor, folder.path, UInt32(kinds) | UInt32(IN_ONLYDIR))
    }

    private func events() -> sending any DispatchSourceProtocol {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
      source.setEventHandler { [descriptor] in
        // The contents don't matter: the segments show what happened.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(descriptor, &buffer, buffer.count) > 0 {}
        self.wake()
      }
      source.setCancelHandler { [descriptor] in close(descriptor) }
      source.resume()
      return source
    }
  #endif
}
