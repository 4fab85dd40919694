#include "io/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/file_change.h"
#include "io/file_error.h"
#include "io/local_path.h"

namespace tinytf {

namespace {

constexpr const char* kSpecial = "*?[\\";  // Characters that patterns have and plain names do not.

Status done_or_error(int result, const std::string& path) { return result == 0 ? Status() : file_error(path, errno); }

Result<struct stat> facts_of(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  struct stat facts{};
  TINYTF_RETURN_IF_ERROR(done_or_error(::stat(local.c_str(), &facts), path));
  return facts;
}

std::string joined(const std::string& folder, const std::string& name) {
  return folder.empty() || folder.back() == '/' ? folder + name : folder + "/" + name;
}

/// Adds the paths below the folder that match parts[at, …). Unreadable folders count as empty.
void add_matching(const std::string& folder, const std::vector<std::string>& names,
                  const std::vector<std::string>& parts, size_t at, std::vector<std::string>& found) {
  for (const std::string& name : names) {
    if (::fnmatch(parts[at].c_str(), name.c_str(), 0) != 0) continue;
    std::string path = joined(folder, name);
    if (at + 1 == parts.size()) {
      found.push_back(std::move(path));
    } else if (const auto below = names_in(path); below.ok()) {
      add_matching(path, below.value(), parts, at + 1, found);
    }
  }
}

}  // namespace

Status file_exists(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  return ::access(local.c_str(), F_OK) == 0 ? Status() : not_found(path, " not found");
}

bool is_folder(const std::string& path) {
  const auto facts = facts_of(path);
  return facts.ok() && S_ISDIR(facts.value().st_mode);
}

Result<uint64_t> file_size(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const struct stat facts, facts_of(path));
  return static_cast<uint64_t>(facts.st_size);
}

Status rename_file(const std::string& from, const std::string& to) {
  TINYTF_ASSIGN_OR_RETURN(const PreparedRename rename, PreparedRename::of(from, to));
  return rename.run();
}

Result<PreparedRename> PreparedRename::of(const std::string& from, const std::string& to) {
  PreparedRename rename;
  rename.from_ = from;
  TINYTF_ASSIGN_OR_RETURN(rename.local_from_, local_path(from));
  TINYTF_ASSIGN_OR_RETURN(rename.local_to_, local_path(to));
  return rename;
}

Status PreparedRename::run() const {
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kRename, from_));
  return done_or_error(::rename(local_from_.c_str(), local_to_.c_str()), from_);
}

Result<PreparedDeletion> PreparedDeletion::of(const std::string& path, bool is_folder) {
  PreparedDeletion deletion;
  deletion.path_ = path;
  deletion.is_folder_ = is_folder;
  TINYTF_ASSIGN_OR_RETURN(deletion.local_, local_path(path));
  return deletion;
}

void PreparedDeletion::try_to_run() const {
  if (!before_file_change(is_folder_ ? FileChange::kDeleteFolder : FileChange::kDelete, path_).ok()) return;
  static_cast<void>(is_folder_ ? ::rmdir(local_.c_str()) : ::unlink(local_.c_str()));
}

Status link_file(const std::string& path, const std::string& second) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  TINYTF_ASSIGN_OR_RETURN(const std::string local_second, local_path(second));
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kCreate, second));
  if (::link(local.c_str(), local_second.c_str()) == 0) return Status();
  if (errno != EEXIST) return file_error(path, errno);
  TINYTF_RETURN_IF_ERROR(delete_file(second));
  return done_or_error(::link(local.c_str(), local_second.c_str()), path);
}

Status delete_file(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kDelete, path));
  return done_or_error(::unlink(local.c_str()), path);
}

Status truncate_file(const std::string& path, uint64_t bytes) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  size_t none = 0;
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kWrite, path, none));
  return done_or_error(::truncate(local.c_str(), static_cast<off_t>(bytes)), path);
}

Status make_folder(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  if (local.empty()) return Status(Code::kAlreadyExists, path);
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kMakeFolder, path));
  return done_or_error(::mkdir(local.c_str(), 0755), path);
}

Status make_folders(const std::string& path) {
  if (path.empty() || file_exists(path).ok()) return Status();
  const std::string parent(folder_of(path));
  if (parent != path) TINYTF_RETURN_IF_ERROR(make_folders(parent));
  const Status made = make_folder(path);
  return made.code() == Code::kAlreadyExists ? Status() : made;  // Another process was faster.
}

Status delete_folder(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kDeleteFolder, path));
  return done_or_error(::rmdir(local.c_str()), path);
}

Status sync_folder(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path.empty() ? "." : path));
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kSync, path));
  const int descriptor = ::open(local.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return file_error(path, errno);
  const Status synced = done_or_error(::fsync(descriptor), path);
  ::close(descriptor);
  return synced;
}

Result<std::vector<std::string>> names_in(const std::string& folder) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(folder));
  DIR* open = ::opendir(local.c_str());
  if (open == nullptr) return file_error(folder, errno);
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(open)) {
    if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
      names.emplace_back(entry->d_name);
  }
  ::closedir(open);
  return names;
}

Result<std::vector<std::string>> matching_files(const std::string& pattern) {
  TINYTF_RETURN_IF_ERROR(local_path(pattern).status());
  std::string folder(folder_of(std::string_view(pattern).substr(0, pattern.find_first_of(kSpecial))));
  std::string_view rest(pattern);
  if (folder.empty()) {
    folder = ".";
  } else {
    rest.remove_prefix(folder.size() + (folder.back() == '/' || folder.size() == rest.size() ? 0 : 1));
  }
  TINYTF_ASSIGN_OR_RETURN(const auto names, names_in(folder));
  std::vector<std::string> parts, found;
  for (size_t begin = 0; begin <= rest.size();) {
    const size_t end = std::min(rest.find('/', begin), rest.size());
    if (end == begin) return found;  // No file has an empty name.
    parts.emplace_back(rest.substr(begin, end - begin));
    begin = end + 1;
  }
  if (!parts.empty()) add_matching(folder, names, parts, 0, found);
  return found;
}

Result<std::vector<std::string>> files_called(const std::string& name) {
  const bool has_special = name.find_first_of(kSpecial) != name.npos;
  if (has_special && file_exists(name).ok()) return std::vector<std::string>{name};
  return matching_files(name);
}

}  // namespace tinytf
