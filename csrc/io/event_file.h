#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// Seconds since 1970, with microsecond resolution.
double wall_time_now();

/// A file of TensorFlow's Events, one per record, in a folder that TensorBoard reads: events.out.tfevents.SECONDS.HOST
/// and a suffix. This class writes the first record, the file's version, itself. One thread at a time.
class EventFile {
 public:
  EventFile(std::string folder, std::string suffix) : folder_(std::move(folder)), suffix_(std::move(suffix)) {}

  /// Writes whole records to the file. Creates it first if necessary: always a new file, named for a later second if
  /// the name is taken. After an error none of the records counts as written: pass them again, and the partial records
  /// are truncated or a new file is begun.
  Status write(std::string_view records);
  /// Closes the file. Later records go to a new one.
  Status close();

  /// Path of the last file; empty before the first.
  const std::string& path() const { return path_; }

 private:
  Status begin();
  Status go_on();

  const std::string folder_, suffix_;
  std::string path_;
  std::unique_ptr<WritableFile> file_;
  uint64_t whole_ = 0;    ///< Bytes of completely written records.
  bool damaged_ = false;  ///< Partial records may follow them.
};

}  // namespace tinytf
