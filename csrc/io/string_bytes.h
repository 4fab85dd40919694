#pragma once

#include <cstdint>

#include "base/parallel.h"
#include "base/status.h"
#include "io/file.h"
#include "tensor/tensor.h"

namespace tinytf {

// Strings in data files of checkpoints: their lengths, the masked checksum of the lengths, and their bytes.

/// Appends the strings of a tensor. Returns the checksum of everything appended.
Result<uint32_t> append_strings(WritableFile& file, const Tensor& strings, Parallel& parallel);

/// Whether that many bytes can contain that many strings.
inline bool may_be_strings(int64_t bytes, int64_t strings) { return bytes >= 4 && strings <= bytes - 4; }

/// Fills a tensor from `bytes` bytes of the file, which must contain them. Returns their checksum. DataLoss if the
/// lengths are damaged.
Result<uint32_t> read_strings(const RandomAccessFile& file, uint64_t offset, uint64_t bytes, Tensor& strings);

}  // namespace tinytf
