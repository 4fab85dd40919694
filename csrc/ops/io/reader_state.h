#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf::ops {

/// Where a reader is. Its bytes are TensorFlow's message ReaderBaseState.
struct ReaderState {
  /// InvalidArgument, with TensorFlow's texts, for other bytes and for numbers that cannot be; `reader` is what they
  /// call the reader.
  static Result<ReaderState> parse(std::string_view bytes, const std::string& reader);
  std::string serialize() const;

  int64_t started = 0;   ///< work units
  int64_t finished = 0;  ///< the same, when the last one has ended
  int64_t produced = 0;  ///< records
  std::string work;      ///< the unit that was begun last
};

}  // namespace tinytf::ops
