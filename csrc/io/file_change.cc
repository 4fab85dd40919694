#include "io/file_change.h"

#include <atomic>

namespace tinytf {

namespace {
std::atomic<FileChangeWatch*> watching{nullptr};
}

const char* file_change_name(FileChange change) {
  switch (change) {
    case FileChange::kCreate: return "create";
    case FileChange::kWrite: return "write";
    case FileChange::kSync: return "sync";
    case FileChange::kClose: return "close";
    case FileChange::kRename: return "rename";
    case FileChange::kDelete: return "delete";
    case FileChange::kMakeFolder: return "make_folder";
    case FileChange::kDeleteFolder: return "delete_folder";
  }
  return "";
}

FileChangeWatch* set_file_change_watch(FileChangeWatch* watch) { return watching.exchange(watch); }

Status before_file_change(FileChange change, const std::string& path, size_t& bytes) {
  FileChangeWatch* watch = watching.load(std::memory_order_acquire);
  return watch == nullptr ? Status() : watch->before(change, path, bytes);
}

}  // namespace tinytf
