#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf::ops {

/// The progress of a reader. It is serialized as TensorFlow's message ReaderBaseState.
struct ReaderState {
  /// Fails with InvalidArgument and TensorFlow's text for malformed bytes or inconsistent numbers; `reader` is the name
  /// of the reader in the message.
  static Result<ReaderState> parse(std::string_view bytes, const std::string& reader);
  std::string serialize() const;

  int64_t started = 0;   ///< number of work units that were begun
  int64_t finished = 0;  ///< number of work units that were begun when the last one ended
  int64_t produced = 0;  ///< number of records
  std::string work;      ///< the work unit begun last
};

}  // namespace tinytf::ops
