#pragma once

#include <map>
#include <mutex>
#include <string>

#include "tensor/resource_handle.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Tensors that a session keeps between runs, identified by handles. Thread-safe. It is one of the session's resources,
/// under the type and name below.
class SessionStore final : public Resource {
 public:
  static constexpr const char* kType = "SessionStore";
  static constexpr const char* kName = "session_store";

  /// Keeps the tensor and returns its handle: "{node};{number};{device}".
  std::string put(const std::string& node, const std::string& device, Tensor tensor) {
    std::lock_guard lock(mutex_);
    std::string handle = node + ";" + std::to_string(next_++) + ";" + device;
    tensors_.emplace(handle, std::move(tensor));
    return handle;
  }
  /// Returns the tensor, or an invalid one if the handle is unknown.
  Tensor get(const std::string& handle) const {
    std::lock_guard lock(mutex_);
    const auto found = tensors_.find(handle);
    return found == tensors_.end() ? Tensor() : found->second;
  }
  /// Removes and returns the tensor, so that the caller frees it outside the lock. Invalid if the handle is unknown.
  Tensor remove(const std::string& handle) {
    std::lock_guard lock(mutex_);
    const auto found = tensors_.find(handle);
    if (found == tensors_.end()) return Tensor();
    Tensor tensor = std::move(found->second);
    tensors_.erase(found);
    return tensor;
  }
  std::string debug_string() const override { return "SessionStore"; }

 private:
  mutable std::mutex mutex_;
  int64_t next_ = 0;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace tinytf
