#include "io/atomic_file.h"

#include <random>

#include "io/durable_scope.h"
#include "io/local_path.h"

namespace tinytf {

namespace {
uint64_t random_number() {
  std::random_device source;
  return uint64_t{source()} << 32 | source();
}
}  // namespace

Result<std::unique_ptr<AtomicFile>> AtomicFile::create(const std::string& path) {
  const std::string temporary = str_cat(path, ".tempstate", random_number());
  TINYTF_ASSIGN_OR_RETURN(PreparedRename rename, PreparedRename::of(temporary, path));
  TINYTF_ASSIGN_OR_RETURN(PreparedDeletion deletion, PreparedDeletion::of_file(temporary));
  std::unique_ptr<AtomicFile> file(new AtomicFile(std::move(rename), std::move(deletion)));
  TINYTF_ASSIGN_OR_RETURN(file->file_, WritableFile::create(temporary));
  return file;
}

AtomicFile::~AtomicFile() {
  if (kept_ || file_ == nullptr) return;
  file_.reset();
  deletion_.try_to_run();  // The original error is reported anyway.
}

Status AtomicFile::close() {
  if (closed_) return Status();
  if (DurableScope::active()) TINYTF_RETURN_IF_ERROR(file_->sync());
  closed_ = true;
  return file_->close();
}

Status AtomicFile::keep() {
  TINYTF_RETURN_IF_ERROR(close());
  TINYTF_RETURN_IF_ERROR(rename_.run());
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
