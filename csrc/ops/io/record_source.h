#pragma once

#include <string>

#include "base/status.h"

namespace tinytf::ops {

/// What one kind of reader makes of a work unit: its records, one after the other. One thread at a time.
class RecordSource {
 public:
  enum class Next : uint8_t {
    kRecord,
    kLastRecord,  ///< a record, with which the work unit has ended
    kEnd,         ///< none: the work unit had ended
  };

  virtual ~RecordSource() = default;
  /// Begins a work unit; after an error it counts as not begun.
  virtual Status begin(const std::string& work) = 0;
  /// The next record of the work unit. An error leaves the unit as it is, to be tried again.
  virtual Result<Next> next(const std::string& work, std::string* key, std::string* value) = 0;
  /// Closes what is open.
  virtual void end() {}
  /// Whether the work unit says all about where the source is, as there is one record in it.
  virtual bool is_resumable() const { return false; }
};

}  // namespace tinytf::ops
