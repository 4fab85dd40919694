#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "io/bundle_entry.h"
#include "io/file.h"
#include "io/tensor_box.h"
#include "io/variant_bytes.h"
#include "tensor/tensor.h"

namespace tinytf {

/// The part of a tensor, or all of it, that a data file contains.
struct StoredSlice {
  BundleEntry entry;
  const RandomAccessFile* file = nullptr;
  TensorBox box;

  bool is_numbers() const { return dtype_size(entry.dtype) > 0; }
  /// Compares `crc` with the stored checksum. DataLoss if they differ.
  Status check(uint32_t crc) const;
};

/// Returns the part of that entry if it lies within the file and its size fits the dtype and shape. DataLoss,
/// OutOfRange; Unimplemented for dtypes that files do not hold.
Result<StoredSlice> stored_slice(const std::string& key, BundleEntry entry, const RandomAccessFile& file,
                                 TensorBox box);

/// Reads the elements that a numeric part shares with `to`, whose box is `wanted`. They need not be contiguous. Uses a
/// buffer of fixed size.
Status read_scattered(const StoredSlice& part, const TensorBox& wanted, bool swap, Tensor& to);
/// Same for strings or variants, for which it reads the whole part into memory.
Status read_objects(const StoredSlice& part, const TensorBox& wanted, const VariantCodec* codec, Tensor& to);

}  // namespace tinytf
