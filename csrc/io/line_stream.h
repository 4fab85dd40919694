#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "io/byte_stream.h"

namespace tinytf {

/// Reads the lines of a file sequentially. A carriage return before a line's end is removed, and with it a last line
/// that consists of nothing else. One thread at a time.
class LineStream {
 public:
  static Result<LineStream> open(const std::string& path);

  /// Sets the next line, without its end, valid until the next call; returns false if there is none.
  Result<bool> next(std::string_view* line);
  /// Offset of the next line in the file.
  uint64_t offset() const { return offset_; }

 private:
  explicit LineStream(ByteStream stream) : stream_(std::move(stream)) {}
  std::string_view take(size_t line, size_t end);

  ByteStream stream_;
  uint64_t offset_ = 0;
};

}  // namespace tinytf
