#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "base/status.h"
#include "io/bundle_index.h"
#include "io/byte_order.h"
#include "io/piecewise_read.h"
#include "io/stored_part.h"
#include "tensor/tensor.h"

namespace tinytf {

/// A tensor of a checkpoint, or a part of one, that the files have as a whole.
struct StoredTensor {
  DType dtype = DType::kInvalid;
  Shape shape;
  TensorBox box;
  std::vector<StoredPart> parts;
};

/// Reads tensors of a checkpoint straight into their memory. Whoever wrote its files: sizes are compared with those of
/// the files before anybody takes memory for them. One thread at a time.
class BundleReader {
 public:
  /// Without a codec, variants are not read.
  static Result<std::unique_ptr<BundleReader>> open(const std::string& prefix, const VariantCodec* codec = nullptr);

  BundleIndex& index() { return index_; }

  /// Finds the tensor that an entry tells of; InvalidArgument, DataLoss or OutOfRange where the files do not have it.
  Result<StoredTensor> locate(const std::string& key, const BundleEntry& entry);
  /// The part of it. InvalidArgument where the parts that were saved do not have all of that.
  Result<StoredTensor> locate(const std::string& key, const BundleEntry& entry, const TensorSlice& slice);

  /// `to`, a tensor of that type and shape which lasts until then, is to be read by run().
  void add(const StoredTensor& stored, Tensor& to);
  /// Reads what was added, large tensors and many small ones on several threads. It forgets it, also after an error.
  Status run(Parallel& parallel);

  /// A tensor as a whole, in memory of the allocator.
  Result<Tensor> read(const std::string& key, Allocator& allocator, Parallel& parallel);

 private:
  /// A part that is numbers and one piece in memory, too.
  struct Direct {
    StoredPart part;
    size_t stretch;
    char* to;
  };
  struct Scattered {
    StoredPart part;
    TensorBox wanted;
    Tensor* to;
  };

  BundleReader(BundleIndex index, const VariantCodec* codec)
      : index_(std::move(index)), codec_(codec), swaps_(index_.header().big_endian != processor_is_big_endian()) {}
  Result<StoredPart> part_of(const std::string& key, BundleEntry entry, TensorBox box);
  Result<std::vector<StoredPart>> locate_parts(const std::string& key, const BundleEntry& entry,
                                               const TensorBox& wanted, const TensorSlice& slice);
  void add_part(const StoredPart& part, const TensorBox& wanted, Tensor& to);

  BundleIndex index_;
  const VariantCodec* const codec_;
  const bool swaps_;
  std::map<int32_t, std::unique_ptr<RandomAccessFile>> data_files_;
  PiecewiseRead reads_;
  std::vector<Direct> direct_;
  std::vector<Scattered> scattered_;
};

}  // namespace tinytf
