#pragma once

#include <string>

#include "base/status.h"

namespace tinytf::ops {

/// The records of one kind of work unit. Used by one thread at a time.
class RecordSource {
 public:
  enum class Next : uint8_t {
    kRecord,
    kLastRecord,  ///< a record, and the end of the work unit
    kEnd,         ///< no record: the end of the work unit
  };

  virtual ~RecordSource() = default;
  /// Begins a work unit. After an error the unit counts as not begun.
  virtual Status begin(const std::string& work) = 0;
  /// Reads the next record of the work unit. After an error the read may be repeated.
  virtual Result<Next> next(const std::string& work, std::string* key, std::string* value) = 0;
  /// Closes open files.
  virtual void end() {}
  /// Whether a work unit holds a single record, so that the state of the reader needs no position within it.
  virtual bool is_resumable() const { return false; }
};

}  // namespace tinytf::ops
