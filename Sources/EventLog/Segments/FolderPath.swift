/// Functions of paths that look at their text, not at the disk.
package enum FolderPath {
  /// Returns the path of the folder that contains `folder`.
  package static func parent(of folder: String) -> String {
    guard let slash = folder.lastIndex(of: "/") else { return "." }
    return slash == folder.startIndex ? "/" : String(folder[..<slash])
  }
}

extension Disk {
  /// Creates a folder and its missing ancestors, and syncs them; returns whether the folder was
  /// missing.
  func makeFolders(_ path: String) throws(SystemError) -> Bool {
    let parent = FolderPath.parent(of: path)
    var isNew = true
    do throws(SystemError) {
      try makeFolder(path)
    } catch {
      if error.isExisting {
        isNew = false
      } else {
        guard error.isNotFound, parent != path else { throw error }
        _ = try makeFolders(parent)
        do throws(SystemError) { try makeFolder(path) } catch  where error.isExisting {
          isNew = false
        }
      }
    }

    // An existing folder is synced, too: the process that created it may have been killed before
    // its sync.
    try syncFolder(parent)
    return isNew
  }
}
