#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// A file that is written from its front to its end. One thread at a time. Errors are those of the system, with
/// TensorFlow's codes and texts; after one, what the file holds is open, and all that is left is to close it.
class WritableFile {
 public:
  /// A new file, in place of one that is there.
  static Result<std::unique_ptr<WritableFile>> create(const std::string& path);
  /// Writes go behind what is there; a new file where there is none.
  static Result<std::unique_ptr<WritableFile>> append_to(const std::string& path);
  /// Closes it, and drops what is in the buffer: whoever wants his bytes calls close().
  ~WritableFile();
  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  /// Small pieces are collected in a buffer; large ones go to the system as they are.
  Status append(std::string_view data);
  /// Hands the buffer to the system: other processes see it.
  Status flush();
  /// After this what was written outlives the end of the machine, if the disk keeps its word.
  Status sync();
  /// Idempotent. Nothing can be written afterwards.
  Status close();

  /// How many bytes were appended.
  uint64_t written() const { return written_; }
  const std::string& path() const { return path_; }

 private:
  WritableFile(std::string path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}
  static Result<std::unique_ptr<WritableFile>> open(const std::string& path, int flags);
  Status write(std::string_view data);

  const std::string path_;
  int descriptor_;  // -1: closed
  uint64_t written_ = 0;
  std::string buffer_;
};

/// A file that is read at any place, by any number of threads.
class RandomAccessFile {
 public:
  /// FailedPrecondition for a folder.
  static Result<std::unique_ptr<RandomAccessFile>> open(const std::string& path);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  /// Bytes that it had when it was opened.
  uint64_t size() const { return size_; }
  /// Fills `to` with the bytes from `offset` on. OutOfRange "Read less bytes than requested" where there are not so
  /// many.
  Status read(uint64_t offset, void* to, size_t bytes) const;
  /// Up to `bytes` bytes; fewer at the end of the file only.
  Result<size_t> read_some(uint64_t offset, void* to, size_t bytes) const;

  const std::string& path() const { return path_; }

 private:
  RandomAccessFile(std::string path, int descriptor, uint64_t size)
      : path_(std::move(path)), descriptor_(descriptor), size_(size) {}

  const std::string path_;
  const int descriptor_;
  const uint64_t size_;
};

/// The whole file.
Result<std::string> read_file(const std::string& path);
/// A file with that content, in place of one that is there.
Status write_file(const std::string& path, std::string_view content);

}  // namespace tinytf
