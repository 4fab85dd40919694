#include "io/atomic_file.h"

#include <random>

#include "io/durable_scope.h"
#include "io/file_system.h"
#include "io/local_path.h"

namespace tinytf {

namespace {
uint64_t random_number() {
  std::random_device source;
  return uint64_t{source()} << 32 | source();
}
}  // namespace

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(auto file, WritableFile::create(str_cat(path, ".tempstate", random_number())));
  return std::unique_ptr<AtomicFile>(new AtomicFile(path, std::move(file)));
}

AtomicFile::~AtomicFile() {
  if (kept_) return;
  const std::string path = file_->path();
  file_.reset();
  static_cast<void>(delete_file(path).ok());  // Best effort: the original error is reported anyway.
}

Status AtomicFile::close() {
  if (closed_) return Status();
  if (DurableScope::active()) TINYTF_RETURN_IF_ERROR(file_->sync());
  closed_ = true;
  return file_->close();
}

Status AtomicFile::keep() {
  TINYTF_RETURN_IF_ERROR(close());
  TINYTF_RETURN_IF_ERROR(rename_file(file_->path(), path_));
  kept_ = true;
  return Status();
}

Status make_folder_of(const std::string& path) {
  const std::string folder(folder_of(path));
  if (folder.empty() || file_exists(folder).ok()) return Status();
  const Status made = make_folder(folder);
  if (made.ok()) return sync_folder_if_durable(folder);
  return made.code() == Code::kAlreadyExists ? Status() : made;
}

}  // namespace tinytf
