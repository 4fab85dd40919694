#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace tinytf {

/// The pixels of an image, row by row: `channels` bytes each, which are 1 (gray), 2 (gray and alpha), 3 or 4.
struct Pixels {
  const uint8_t* data;
  int64_t width, height;
  int channels;
};

/// A PNG file. InvalidArgument for images without pixels and for sizes that no file can have; Unimplemented where
/// nobody lends deflate.
Result<std::string> encode_png(const Pixels& pixels);

}  // namespace tinytf
