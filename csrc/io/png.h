#pragma once

#include <cstdint>
#include <string>

#include "base/parallel.h"
#include "base/status.h"

namespace tinytf {

/// Pixels of an image, row by row, with `channels` numbers each: 1 (gray), 2 (gray and alpha), 3 (RGB) or 4 (RGBA).
struct Pixels {
  const void* data;  ///< Numbers of 8 bits, or of 16 bits in native byte order.
  int64_t width, height;
  int channels;
  int bits = 8;
};

/// Encodes a PNG file; `level` is deflate's. The rows are processed in order by `parallel`, which may end the loop
/// early. InvalidArgument for images without pixels and sizes that no file can have; Unimplemented if no deflate codec
/// is set.
Result<std::string> encode_png(const Pixels& pixels, Parallel& parallel, int level = -1);

}  // namespace tinytf
