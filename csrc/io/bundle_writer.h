#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/parallel.h"
#include "base/status.h"
#include "io/atomic_file.h"
#include "io/bundle_entry.h"
#include "io/variant_bytes.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Writes a checkpoint of one data file and an index. Tensors are written piece by piece; an existing checkpoint under
/// the prefix stays readable until finish() has replaced it. One thread at a time.
class BundleWriter {
 public:
  /// Also creates the file's folder, one level only. Without a codec, variants are rejected.
  static Result<std::unique_ptr<BundleWriter>> create(const std::string& prefix, const VariantCodec* codec = nullptr);

  /// InvalidArgument for keys that were added before; Unimplemented for dtypes that files do not hold.
  Status add(const std::string& key, const Tensor& tensor, Parallel& parallel);
  /// Adds a slice of a larger tensor.
  Status add_slice(const std::string& name, const ShapeAndSlice& where, const Tensor& tensor, Parallel& parallel);
  /// Moves the checkpoint into place. Nothing can be added afterwards.
  Status finish();

 private:
  BundleWriter(std::string prefix, std::unique_ptr<AtomicFile> data, const VariantCodec* codec)
      : prefix_(std::move(prefix)), data_(std::move(data)), codec_(codec) {}
  Result<uint32_t> append(const Tensor& tensor, Parallel& parallel);

  const std::string prefix_;
  std::unique_ptr<AtomicFile> data_;
  const VariantCodec* const codec_;
  std::map<std::string, BundleEntry> entries_;
};

}  // namespace tinytf
