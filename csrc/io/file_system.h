#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace tinytf {

// Errors are system errors with TensorFlow's codes and texts.

/// NotFound if the path does not exist.
Status file_exists(const std::string& path);
/// Whether the path is that of a folder; false for one that does not exist.
bool is_folder(const std::string& path);
/// Size of a file in bytes.
Result<uint64_t> file_size(const std::string& path);
/// Renames a file, replacing one that has the new name. The replacement is atomic.
Status rename_file(const std::string& from, const std::string& to);
/// Gives a file a second name (a hard link), replacing a file that has it.
Status link_file(const std::string& path, const std::string& second);
Status delete_file(const std::string& path);
/// Truncates a file to `bytes` bytes.
Status truncate_file(const std::string& path, uint64_t bytes);
/// A rename whose memory is requested in advance: run() requests none unless it fails. For changes of several files, of
/// which a lack of memory must not leave a part.
class PreparedRename {
 public:
  static Result<PreparedRename> of(const std::string& from, const std::string& to);
  /// As rename_file.
  Status run() const;

 private:
  std::string from_, local_from_, local_to_;
};
/// A deletion whose memory is requested in advance, of a file or of an empty folder.
class PreparedDeletion {
 public:
  static Result<PreparedDeletion> of_file(const std::string& path) { return of(path, false); }
  static Result<PreparedDeletion> of_folder(const std::string& path) { return of(path, true); }
  /// As delete_file or delete_folder, but an error is ignored, and no memory is requested.
  void try_to_run() const;

 private:
  static Result<PreparedDeletion> of(const std::string& path, bool is_folder);
  std::string path_, local_;
  bool is_folder_ = false;
};
/// Creates one folder; its parent must exist. AlreadyExists if the name is taken.
Status make_folder(const std::string& path);
/// Creates a folder and its missing parents. OK if it exists already.
Status make_folders(const std::string& path);
/// Deletes an empty folder.
Status delete_folder(const std::string& path);
/// Makes renames, creations and deletions in a folder survive a crash of the machine.
Status sync_folder(const std::string& path);

/// Names in a folder, without "." and "..", in no particular order.
Result<std::vector<std::string>> names_in(const std::string& folder);
/// Returns the files and folders that match, in no particular order. Patterns have * and ? (which do not match a
/// slash), [a-c], and \ to escape a character. The results begin as the pattern does; relative ones begin with "./".
/// The folder before the first special character must exist.
Result<std::vector<std::string>> matching_files(const std::string& pattern);
/// Returns the file of exactly that name, whatever characters it has; if there is none, the files that match it.
Result<std::vector<std::string>> files_called(const std::string& name);

}  // namespace tinytf
