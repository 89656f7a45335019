import StreakDomain

/// The locks of one writer: an exclusive `flock` on `.lock`, and one on the folder.
///
/// The lock of the folder excludes a writer that locks a new `.lock` after somebody removed the old
/// one. A crash releases both locks, and leaves `.lock` and the folder.
struct WriterLock {
  /// The lock of the whole folder, released before `file` because fields are destroyed in the order
  /// of declaration.
  ///
  /// A writer that has waited for `file` therefore finds the folder unlocked.
  private let folder: File
  private let file: File
  /// Whether the folder was missing, and has been created.
  let madeFolder: Bool

  var path: String { file.path }

  /// Waits up to `wait` seconds for the locks of `folder`; creates the folder if it is missing and
  /// `makesFolder` is true.
  init(
    _ folder: String, wait: Double, makesFolder: Bool, on disk: any Disk
  ) throws(Failure) {
    let path = folder + "/.lock"
    var waited = 0.0
    var madeFolder = false
    var missingCount = 0
    while true {
      var isHeldElsewhere = false
      do throws(SystemError) {
        if makesFolder, try disk.makeFolders(folder) { madeFolder = true }

        let file = try File(path, .lock, on: disk)
        // Fails if `.lock` isn't a regular file, which can't be trusted as a lock.
        _ = try file.size()
        let isHeld = try file.lock(upTo: wait - waited)

        // If the lock file was removed meanwhile, locking it excludes nobody.
        let isNamed = try file.isNamed()
        if isHeld, isNamed {
          let folder = try File(folder, .folder, on: disk)
          if try WriterLock.lockIfSupported(folder) {
            self.folder = folder
            self.file = file
            self.madeFolder = madeFolder
            return
          }
        }
        isHeldElsewhere = !isHeld && isNamed
      } catch {
        if error.isNotFound, !makesFolder { throw .noLedger(folder: folder) }
        // Another program may just have removed a folder that it had created and not used. A folder
        // that is missing again and again can't be made.
        missingCount += 1
        guard error.isNotFound, missingCount < 10 else {
          throw .notWritten(error, path, on: disk)
        }
      }

      guard waited < wait, !isHeldElsewhere else { throw .busy(path, seconds: wait) }
      disk.pause(microseconds: 10_000)
      waited += 0.01
    }
  }

  /// Locks the folder; returns false if another writer, whose `.lock` was removed, has locked the
  /// folder.
  ///
  /// Returns true without a lock if the system can't lock folders.
  private static func lockIfSupported(_ folder: File) throws(SystemError) -> Bool {
    do throws(SystemError) { return try folder.lock(upTo: 0) } catch  where error.isUnsupported {
      return true
    }
  }

  /// Whether the path of `.lock` still leads to the locked file.
  func isNamed() throws(SystemError) -> Bool { try file.isNamed() }
}
