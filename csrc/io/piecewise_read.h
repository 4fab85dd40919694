#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/parallel.h"
#include "base/status.h"
#include "io/file.h"

namespace tinytf {

/// Reads ranges ("stretches") of files directly into their destinations, several at a time and each in pieces, and
/// computes their checksums while the bytes are in the processor's caches.
class PiecewiseRead {
 public:
  /// Returns the number of the stretch. File and memory must stay valid until run() returns.
  size_t add(const RandomAccessFile& file, uint64_t offset, void* to, uint64_t bytes);
  /// Reads all stretches. The error is that of the first unreadable piece.
  Status run(Parallel& parallel);
  /// Checksum of a stretch; call after run().
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
  std::vector<size_t> begins_;  // Index of the first piece of each stretch.
};

}  // namespace tinytf
