#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/status.h"
#include "io/file.h"
#include "tensor/tensor.h"

namespace tinytf {

// How data files of checkpoints have strings: their lengths, the masked checksum of these, and their bytes.

/// Appends the strings of a tensor. Yields the checksum of all that.
Result<uint32_t> append_strings(WritableFile& file, const Tensor& strings, Parallel& parallel);

/// Whether so many bytes can be those of so many strings.
inline bool may_be_strings(int64_t bytes, int64_t strings) { return bytes >= 4 && strings <= bytes - 4; }

/// Fills a tensor from `bytes` bytes of the file, which it must have. Yields their checksum. DataLoss where lengths
/// are damaged.
Result<uint32_t> read_strings(const RandomAccessFile& file, uint64_t offset, uint64_t bytes, Tensor& strings);

}  // namespace tinytf
