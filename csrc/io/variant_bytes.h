#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/parallel.h"
#include "base/status.h"
#include "io/file.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Makes VariantTensorDataProtos of variants, and variants of them. Those who know the types implement it.
class VariantCodec {
 public:
  virtual ~VariantCodec() = default;
  /// Unimplemented for values of types that have no such form.
  virtual Result<std::string> encode(const Variant& value) const = 0;
  /// DataLoss for damaged bytes; takes no more memory than they can stand for.
  virtual Result<Variant> decode(std::string_view bytes) const = 0;
};

// How data files of checkpoints have variants: each as its length, its message, and the masked checksum of all so far.

/// Appends the elements of a tensor. Yields the checksum of all that.
Result<uint32_t> append_variants(WritableFile& file, const Tensor& variants, const VariantCodec& codec,
                                 Parallel& parallel);

/// Whether so many bytes can be those of so many variants.
inline bool may_be_variants(int64_t bytes, int64_t variants) { return bytes >= 0 && variants <= bytes / 5; }

/// Fills a tensor from `bytes` bytes of the file, which it must have. Yields their checksum. DataLoss where they are
/// damaged.
Result<uint32_t> read_variants(const RandomAccessFile& file, uint64_t offset, uint64_t bytes, const VariantCodec& codec,
                               Tensor& variants);

}  // namespace tinytf
