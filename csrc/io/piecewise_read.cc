#include "io/piecewise_read.h"

#include <algorithm>

#include "base/crc32c.h"

namespace tinytf {

namespace {
constexpr uint64_t kPiece = uint64_t{1} << 20;
constexpr uint64_t kSummedAtOnce = uint64_t{256} << 10;  // Bytes; stays in the cache between read and checksum.
constexpr double kPieceCost = 200e3;                     // Nanoseconds, from the system's cache.
}  // namespace

size_t PiecewiseRead::add(const RandomAccessFile& file, uint64_t offset, void* to, uint64_t bytes) {
  begins_.push_back(pieces_.size());
  for (uint64_t at = 0; at < bytes; at += kPiece) {
    const auto piece = static_cast<size_t>(std::min(kPiece, bytes - at));
    pieces_.push_back({&file, offset + at, static_cast<char*>(to) + at, piece, 0, Status()});
  }
  return begins_.size() - 1;
}

Status PiecewiseRead::run(Parallel& parallel) {
  const auto count = static_cast<int64_t>(pieces_.size());
  uint64_t bytes = 0;
  for (const Piece& piece : pieces_) bytes += piece.bytes;
  const double cost =
      kPieceCost * static_cast<double>(bytes) / static_cast<double>(kPiece) / std::max(1.0, double(count));
  parallel.run(count, 1, cost + 1000, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Piece& piece = pieces_[static_cast<size_t>(i)];
      for (size_t at = 0; at < piece.bytes && piece.status.ok(); at += kSummedAtOnce) {
        const size_t part = std::min<size_t>(kSummedAtOnce, piece.bytes - at);
        piece.status = piece.file->read(piece.offset + at, piece.to + at, part);
        if (piece.status.ok()) piece.crc = crc32c(piece.to + at, part, piece.crc);
      }
    }
  });
  for (const Piece& piece : pieces_) TINYTF_RETURN_IF_ERROR(piece.status);
  return Status();
}

uint32_t PiecewiseRead::crc(size_t stretch) const {
  const size_t end = stretch + 1 < begins_.size() ? begins_[stretch + 1] : pieces_.size();
  uint32_t crc = 0;
  for (size_t i = begins_[stretch]; i < end; ++i) crc = joined_crc32c(crc, pieces_[i].crc, pieces_[i].bytes);
  return crc;
}

}  // namespace tinytf
