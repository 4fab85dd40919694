#pragma once

#include <cstdint>
#include <string>

#include "base/parallel.h"
#include "base/status.h"

namespace tinytf {

/// The pixels of an image, row by row: `channels` numbers each, which are 1 (gray), 2 (gray and alpha), 3 or 4.
struct Pixels {
  const void* data;  ///< numbers of 8 bits, or of 16 in the order of the machine
  int64_t width, height;
  int channels;
  int bits = 8;
};

/// A PNG file; `level` is deflate's. One row after the other by `parallel`, which may cut it. InvalidArgument for
/// images without pixels and for sizes that no file can have; Unimplemented where nobody lends deflate.
Result<std::string> encode_png(const Pixels& pixels, Parallel& parallel, int level = -1);

}  // namespace tinytf
