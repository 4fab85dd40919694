#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/parallel.h"
#include "base/status.h"
#include "io/bundle_entry.h"
#include "io/new_file.h"
#include "io/variant_bytes.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Writes a checkpoint of one data file and an index. Bytes go from the tensors' memory to the system; until finish()
/// has ended, what was there under that prefix stays as it was. One thread at a time.
class BundleWriter {
 public:
  /// Makes the folder, too, one level. Without a codec, variants are refused.
  static Result<std::unique_ptr<BundleWriter>> create(const std::string& prefix, const VariantCodec* codec = nullptr);

  /// InvalidArgument for keys that were added before, and for types that files do not hold.
  Status add(const std::string& key, const Tensor& tensor, Parallel& parallel);
  /// The part of a larger tensor.
  Status add_slice(const std::string& name, const ShapeAndSlice& where, const Tensor& tensor, Parallel& parallel);
  /// Has the checkpoint in its place. Nothing can be added afterwards.
  Status finish();

 private:
  BundleWriter(std::string prefix, std::unique_ptr<NewFile> data, const VariantCodec* codec)
      : prefix_(std::move(prefix)), data_(std::move(data)), codec_(codec) {}
  Result<uint32_t> append(const Tensor& tensor, Parallel& parallel);

  const std::string prefix_;
  std::unique_ptr<NewFile> data_;
  const VariantCodec* const codec_;
  std::map<std::string, BundleEntry> entries_;
};

/// Writes an index with those entries into a new file.
Status write_index(NewFile& file, const BundleHeader& header, const std::map<std::string, BundleEntry>& entries);

}  // namespace tinytf
