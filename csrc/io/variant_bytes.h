#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/parallel.h"
#include "base/status.h"
#include "io/file.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Converts variants to serialized VariantTensorDataProtos and back. Implemented by code that knows the types.
class VariantCodec {
 public:
  virtual ~VariantCodec() = default;
  /// Unimplemented for types without such a form.
  virtual Result<std::string> encode(const Variant& value) const = 0;
  /// DataLoss for damaged bytes. Takes no more memory than the bytes can stand for.
  virtual Result<Variant> decode(std::string_view bytes) const = 0;
};

// Variants in data files of checkpoints: each as its length, its message, and the masked checksum of everything so far.

/// Appends the elements of a tensor. Returns the checksum of everything appended.
Result<uint32_t> append_variants(WritableFile& file, const Tensor& variants, const VariantCodec& codec,
                                 Parallel& parallel);

/// Whether that many bytes can contain that many variants.
inline bool may_be_variants(int64_t bytes, int64_t variants) { return bytes >= 0 && variants <= bytes / 5; }

/// Fills a tensor from `bytes` bytes of the file, which must contain them. Returns their checksum. DataLoss if they are
/// damaged.
Result<uint32_t> read_variants(const RandomAccessFile& file, uint64_t offset, uint64_t bytes, const VariantCodec& codec,
                               Tensor& variants);

}  // namespace tinytf
