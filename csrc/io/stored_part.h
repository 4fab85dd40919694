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

/// What a data file has of a tensor: all of it, or a part.
struct StoredPart {
  BundleEntry entry;
  const RandomAccessFile* file = nullptr;
  TensorBox box;

  bool is_numbers() const { return dtype_size(entry.dtype) > 0; }
  /// Compares the checksum of the stored bytes. DataLoss.
  Status check(uint32_t crc) const;
};

/// The part of that entry, if the file reaches so far and its bytes can be such a tensor. DataLoss, OutOfRange;
/// Unimplemented for types that files do not hold.
Result<StoredPart> stored_part(const std::string& key, BundleEntry entry, const RandomAccessFile& file, TensorBox box);

/// Reads a part of which `to`, which has the place `wanted`, has some elements, here and there. In memory of a fixed
/// size, if it is numbers.
Status read_scattered(const StoredPart& part, const TensorBox& wanted, bool swap, Tensor& to);
/// The same for strings, or for variants.
Status read_objects(const StoredPart& part, const TensorBox& wanted, const VariantCodec* codec, Tensor& to);

}  // namespace tinytf
