#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "io/tensor_slice.h"
#include "tensor/tensor.h"

namespace tinytf {

// Checkpoints of the format that preceded indexes and data files: one table, whose first entry lists the tensor slices
// that the other entries hold.

namespace early {
// Fields of SavedTensorSlices, SavedTensorSliceMeta, SavedSliceMeta and SavedSlice.
inline constexpr uint32_t kMeta = 1, kData = 2;
inline constexpr uint32_t kTensor = 1, kVersions = 2;
inline constexpr uint32_t kName = 1, kShape = 2, kType = 3, kSlice = 4;
inline constexpr uint32_t kDataName = 1, kDataSlice = 2, kDataValue = 3;
}  // namespace early

/// Writes such a file. Values are kept in memory until finish().
class EarlyCheckpointWriter {
 public:
  explicit EarlyCheckpointWriter(std::string path) : path_(std::move(path)) {}

  /// Internal if slices of one name are of different tensors, Unimplemented for dtypes that the format lacks.
  Status add(const std::string& name, const ShapeAndSlice& where, Tensor value);
  /// Writes the file and moves it into place.
  Status finish();

 private:
  struct Saved {
    DType dtype;
    Shape shape;
    std::vector<TensorSlice> slices;
  };
  struct Value {
    const std::string* name;
    TensorSlice slice;
    Tensor value;
  };

  std::string meta() const;

  const std::string path_;
  std::map<std::string, Saved> tensors_;
  std::map<std::string, Value> values_;  // By slice key.
};

}  // namespace tinytf
