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
#include "io/stored_slice.h"
#include "tensor/tensor.h"

namespace tinytf {

/// A tensor of a checkpoint, or a slice of one, whose elements are all in the files.
struct StoredTensor {
  DType dtype = DType::kInvalid;
  Shape shape;
  TensorBox box;
  std::vector<StoredSlice> parts;
};

/// Reads tensors of a checkpoint directly into their memory. The files may be damaged or hostile: stored sizes are
/// checked against the sizes of the files before memory is allocated. One thread at a time.
class BundleReader {
 public:
  /// Without a codec, variants cannot be read.
  static Result<std::unique_ptr<BundleReader>> open(const std::string& prefix, const VariantCodec* codec = nullptr);

  BundleIndex& index() { return index_; }

  /// Locates the tensor of an entry. InvalidArgument, DataLoss or OutOfRange if the files do not contain it.
  Result<StoredTensor> locate(const std::string& key, const BundleEntry& entry);
  /// Locates a slice of the tensor. InvalidArgument if the saved slices do not cover it.
  Result<StoredTensor> locate(const std::string& key, const BundleEntry& entry, const TensorSlice& slice);

  /// Queues a read into `to`, which must have the stored dtype and shape and live until run().
  void add(const StoredTensor& stored, Tensor& to);
  /// Executes the queued reads, large tensors and many small ones on several threads. Clears the queue, also after an
  /// error.
  Status run(Parallel& parallel);

  /// Reads a whole tensor into memory of the allocator.
  Result<Tensor> read(const std::string& key, Allocator& allocator, Parallel& parallel);

 private:
  /// A numeric part that is also contiguous in the destination tensor.
  struct Direct {
    StoredSlice part;
    size_t stretch;
    char* to;
  };
  struct Scattered {
    StoredSlice part;
    TensorBox wanted;
    Tensor* to;
  };

  BundleReader(BundleIndex index, const VariantCodec* codec)
      : index_(std::move(index)), codec_(codec), swaps_(index_.header().big_endian != processor_is_big_endian()) {}
  Result<StoredSlice> part_of(const std::string& key, BundleEntry entry, TensorBox box);
  Result<std::vector<StoredSlice>> locate_parts(const std::string& key, const BundleEntry& entry,
                                                const TensorBox& wanted, const TensorSlice& slice);
  void add_part(const StoredSlice& part, const TensorBox& wanted, Tensor& to);

  BundleIndex index_;
  const VariantCodec* const codec_;
  const bool swaps_;
  std::map<int32_t, std::unique_ptr<RandomAccessFile>> data_files_;
  PiecewiseRead reads_;
  std::vector<Direct> direct_;
  std::vector<Scattered> scattered_;
};

}  // namespace tinytf
