#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// Reads stretches of files straight to where their bytes belong, several at a time, each in pieces, and computes their
/// checksums while the bytes are still in the processor's caches.
class PiecewiseRead {
 public:
  /// The number of the stretch. File and memory must last until run() returns.
  size_t add(const RandomAccessFile& file, uint64_t offset, void* to, uint64_t bytes);
  /// Reads them all. An error is that of the first piece that cannot be read.
  Status run(Parallel& parallel);
  /// The checksum of a stretch.
  uint32_t crc(size_t stretch) const;

 private:
  struct Piece {
    const RandomAccessFile* file;
    uint64_t offset;
    char* to;
    size_t bytes;
    uint32_t crc;
    Status status;
  };
  std::vector<Piece> pieces_;
  std::vector<size_t> begins_;  // the first piece of each stretch
};

}  // namespace tinytf
