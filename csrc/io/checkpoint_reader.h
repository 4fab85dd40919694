#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/parallel.h"
#include "base/status.h"
#include "io/bundle_reader.h"
#include "io/early_checkpoint_reader.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Lists the tensors of a checkpoint of either format and reads whole tensors. Thread-safe.
class CheckpointReader {
 public:
  struct Saved {
    DType dtype = DType::kInvalid;
    Shape shape;
  };

  static Result<std::unique_ptr<CheckpointReader>> open(const std::string& prefix);

  /// The tensors by name.
  Result<std::map<std::string, Saved>> tensors();
  Result<bool> has(const std::string& name);
  /// NotFound for an unknown name.
  Result<Tensor> read(const std::string& name, Allocator& allocator, Parallel& parallel);
  /// One line per tensor, such as "v (DT_FLOAT) [2,3]"; in bundles, one per slice of a partitioned tensor.
  Result<std::string> debug_string();

 private:
  CheckpointReader() = default;

  std::mutex mutex_;
  std::unique_ptr<BundleReader> bundle_;  // Exactly one of the two is set.
  std::unique_ptr<EarlyCheckpointReader> early_;
};

}  // namespace tinytf
