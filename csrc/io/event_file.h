#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// Seconds since 1970, to microseconds.
double wall_time_now();

/// A file of TensorFlow's Events, one in each record, in a folder that TensorBoard looks into:
/// events.out.tfevents.SECONDS.HOST and a suffix. The first record, the file's version, is the writer's own. One thread
/// at a time.
class EventFile {
 public:
  EventFile(std::string folder, std::string suffix) : folder_(std::move(folder)), suffix_(std::move(suffix)) {}

  /// Hands whole records to the system. The file is made first, if need be: always a new one, under a later second if
  /// the name is taken. After an error none of the records counts as written: they may be given again, and what there
  /// is of them in the file is cut off then, or a new file is begun.
  Status write(std::string_view records);
  /// What comes later goes to a new file.
  Status close();

  /// Of the last file; empty before the first.
  const std::string& path() const { return path_; }

 private:
  Status begin();
  Status go_on();

  const std::string folder_, suffix_;
  std::string path_;
  std::unique_ptr<WritableFile> file_;
  uint64_t whole_ = 0;    ///< bytes of records that were written whole
  bool damaged_ = false;  ///< there may be parts of others behind them
};

}  // namespace tinytf
