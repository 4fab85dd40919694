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

/// Tells which tensors a checkpoint of either format has, and reads them as a whole. Thread-safe.
class CheckpointReader {
 public:
  struct Saved {
    DType dtype = DType::kInvalid;
    Shape shape;
  };

  static Result<std::unique_ptr<CheckpointReader>> open(const std::string& prefix);

  /// By name.
  Result<std::map<std::string, Saved>> tensors();
  Result<bool> has(const std::string& name);
  /// NotFound for a name that it does not have.
  Result<Tensor> read(const std::string& name, Allocator& allocator, Parallel& parallel);
  /// A line for each tensor, or each part of one: "v (DT_FLOAT) [2,3]".
  Result<std::string> debug_string();

 private:
  CheckpointReader() = default;

  std::mutex mutex_;
  std::unique_ptr<BundleReader> bundle_;  // one of them
  std::unique_ptr<EarlyCheckpointReader> early_;
};

}  // namespace tinytf
