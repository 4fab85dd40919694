#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// A file written sequentially. One thread at a time. Errors are system errors with TensorFlow's codes and texts; after
/// one, the contents are undefined and the file can only be closed. All memory is requested before the file is created
/// or truncated, so that a lack of memory leaves the file system as it was.
class WritableFile {
 public:
  /// Creates a file, replacing an existing one.
  static Result<std::unique_ptr<WritableFile>> create(const std::string& path);
  /// AlreadyExists if the name is taken.
  static Result<std::unique_ptr<WritableFile>> create_new(const std::string& path);
  /// Appends to an existing file, or creates a new one.
  static Result<std::unique_ptr<WritableFile>> append_to(const std::string& path);
  /// Closes the file without writing the buffer: call close() to keep all data.
  ~WritableFile();
  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  /// Small pieces are buffered; large ones are written directly.
  Status append(std::string_view data);
  /// Writes the buffer, so that other processes see the data.
  Status flush();
  /// Makes the written data survive a crash of the machine, if the disk honors it.
  Status sync();
  /// Idempotent. Nothing can be written afterwards.
  Status close();

  /// Number of bytes appended.
  uint64_t written() const { return written_; }
  const std::string& path() const { return path_; }

 private:
  explicit WritableFile(std::string path) : path_(std::move(path)) {}
  static Result<std::unique_ptr<WritableFile>> open(const std::string& path, int flags);
  Status write(std::string_view data);

  const std::string path_;
  int descriptor_ = -1;  // -1 if closed.
  uint64_t written_ = 0;
  std::string buffer_;
};

/// A file for random-access reads, by any number of threads.
class RandomAccessFile {
 public:
  /// FailedPrecondition for a folder.
  static Result<std::unique_ptr<RandomAccessFile>> open(const std::string& path);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  /// Size in bytes when the file was opened.
  uint64_t size() const { return size_; }
  /// Fills `to` with `bytes` bytes from `offset` on. OutOfRange "Read less bytes than requested" if there are fewer.
  Status read(uint64_t offset, void* to, size_t bytes) const;
  /// Reads up to `bytes` bytes; fewer only at the end of the file.
  Result<size_t> read_some(uint64_t offset, void* to, size_t bytes) const;

  const std::string& path() const { return path_; }

 private:
  RandomAccessFile(std::string path, int descriptor, uint64_t size)
      : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

  const std::string path_;
  const int descriptor_;
  const uint64_t size_;
};

/// Reads a whole file.
Result<std::string> read_file(const std::string& path);
/// Writes a file with that content, replacing an existing one.
Status write_file(const std::string& path, std::string_view content);

}  // namespace tinytf
