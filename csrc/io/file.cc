#include "io/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/file_change.h"
#include "io/file_error.h"
#include "io/local_path.h"

namespace tinytf {

namespace {

constexpr size_t kFileBuffer = size_t{64} << 10;
constexpr size_t kMostAtOnce = size_t{1} << 30;  // Systems take no more than 2 GiB in one call.

int open_retrying(const std::string& path, int flags) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EINTR);
  return descriptor;
}

}  // namespace

Result<std::unique_ptr<WritableFile>> WritableFile::open(const std::string& path, int flags) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  std::unique_ptr<WritableFile> file(new WritableFile(path));
  file->buffer_.reserve(kFileBuffer);
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kCreate, path));
  file->descriptor_ = open_retrying(local, O_WRONLY | O_CREAT | flags);
  if (file->descriptor_ < 0) return file_error(path, errno);
  return file;
}

Result<std::unique_ptr<WritableFile>> WritableFile::create(const std::string& path) { return open(path, O_TRUNC); }

Result<std::unique_ptr<WritableFile>> WritableFile::create_new(const std::string& path) { return open(path, O_EXCL); }

Result<std::unique_ptr<WritableFile>> WritableFile::append_to(const std::string& path) { return open(path, O_APPEND); }

WritableFile::~WritableFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Status WritableFile::append(std::string_view data) {
  written_ += data.size();
  if (buffer_.size() + data.size() > kFileBuffer) TINYTF_RETURN_IF_ERROR(flush());
  if (data.size() >= kFileBuffer) return write(data);
  buffer_.append(data);
  return Status();
}

Status WritableFile::flush() {
  if (buffer_.empty()) return Status();
  const Status status = write(buffer_);
  buffer_.clear();
  return status;
}

Status WritableFile::write(std::string_view data) {
  if (descriptor_ < 0) return file_error(path_, EBADF);
  while (!data.empty()) {
    size_t bytes = std::min(data.size(), kMostAtOnce);
    TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kWrite, path_, bytes));
    const ssize_t done = ::write(descriptor_, data.data(), bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return file_error(path_, errno);
    data.remove_prefix(static_cast<size_t>(done));
  }
  return Status();
}

Status WritableFile::sync() {
  TINYTF_RETURN_IF_ERROR(flush());
  if (descriptor_ < 0) return file_error(path_, EBADF);
  TINYTF_RETURN_IF_ERROR(before_file_change(FileChange::kSync, path_));
  return ::fsync(descriptor_) == 0 ? Status() : file_error(path_, errno);
}

Status WritableFile::close() {
  if (descriptor_ < 0) return Status();
  Status status = flush();
  if (status.ok()) status = before_file_change(FileChange::kClose, path_);
  const int descriptor = descriptor_;
  descriptor_ = -1;
  // The descriptor is closed even if the call was interrupted.
  if (::close(descriptor) != 0 && errno != EINTR && status.ok()) status = file_error(path_, errno);
  return status;
}

Result<std::unique_ptr<RandomAccessFile>> RandomAccessFile::open(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const std::string local, local_path(path));
  const int descriptor = open_retrying(local, O_RDONLY | O_NONBLOCK);  // Does not wait for a writer of a pipe.
  if (descriptor < 0) return file_error(path, errno);
  struct stat facts{};
  const int error = ::fstat(descriptor, &facts) != 0 ? errno : S_ISDIR(facts.st_mode) ? EISDIR : 0;
  if (error != 0) {
    ::close(descriptor);
    return file_error(path, error);
  }
  const auto size = static_cast<uint64_t>(std::max<off_t>(facts.st_size, 0));
  return std::unique_ptr<RandomAccessFile>(new RandomAccessFile(path, descriptor, size));
}

RandomAccessFile::~RandomAccessFile() { ::close(descriptor_); }

Result<size_t> RandomAccessFile::read_some(uint64_t offset, void* to, size_t bytes) const {
  size_t done = 0;
  while (done < bytes && offset <= INT64_MAX - done) {
    const ssize_t got = ::pread(descriptor_, static_cast<char*>(to) + done, std::min(bytes - done, kMostAtOnce),
                                static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(path_, errno);
    if (got == 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

Status RandomAccessFile::read(uint64_t offset, void* to, size_t bytes) const {
  TINYTF_ASSIGN_OR_RETURN(const size_t done, read_some(offset, to, bytes));
  return done == bytes ? Status() : Status(Code::kOutOfRange, "Read less bytes than requested");
}

Result<std::string> read_file(const std::string& path) {
  TINYTF_ASSIGN_OR_RETURN(const auto file, RandomAccessFile::open(path));
  std::string content(file->size(), '\0');
  TINYTF_ASSIGN_OR_RETURN(const size_t done, file->read_some(0, content.data(), content.size()));
  if (done < content.size()) {
    return Status(Code::kDataLoss, str_cat("Truncated read of '", path, "' expected ", content.size(), " got ", done));
  }
  return content;
}

Status write_file(const std::string& path, std::string_view content) {
  TINYTF_ASSIGN_OR_RETURN(const auto file, WritableFile::create(path));
  TINYTF_RETURN_IF_ERROR(file->append(content));
  return file->close();
}

}  // namespace tinytf
