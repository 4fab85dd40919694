#pragma once

#include <string>
#include <utility>

#include "base/inlined_vector.h"
#include "runtime/eager/eager_context.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// A call of an operation. The operation and the owners of its inputs must outlive the dispatch.
struct EagerOperation {
  EagerKernel& kernel;
  TensorHandle* const* inputs;
  const std::string& name;  ///< Name that the program gave the operation, for errors; empty if none.
  int device = 0;           ///< Index of the requested device, or the result of number_of_missing_device.
};

/// Handles of an operation's outputs; null if there was no memory for a handle. The destructor drops the handles that
/// were not taken.
class EagerOutputs {
 public:
  EagerOutputs() = default;
  EagerOutputs(EagerOutputs&& other) noexcept : handles_(other.take()) {}
  EagerOutputs& operator=(EagerOutputs&&) = delete;
  ~EagerOutputs() {
    for (TensorHandle* handle : handles_) {
      if (handle != nullptr) handle->core().drop(handle);
    }
  }

  void add(TensorHandle* handle) { handles_.push_back(handle); }
  int size() const { return static_cast<int>(handles_.size()); }
  TensorHandle* operator[](int i) const { return handles_[i]; }
  /// Transfers ownership of handle i to the caller.
  TensorHandle* take(int i) { return std::exchange(handles_[i], nullptr); }
  auto begin() const { return handles_.begin(); }
  auto end() const { return handles_.end(); }

 private:
  InlinedVector<TensorHandle*, 4> take() {
    InlinedVector<TensorHandle*, 4> taken = handles_;
    handles_.clear();
    return taken;
  }

  InlinedVector<TensorHandle*, 4> handles_;
};

/// Runs an operation in a session; the caller is inside its core. In synchronous sessions it runs on the calling
/// thread, without the host's lock unless it is brief. In asynchronous sessions it is queued for the session's thread.
/// `outputs` must be empty, and has the handles on success. InvalidArgument for an unsuitable device, the error of a
/// FreedValue for a freed input, else the operation's error with its op and name.
Status dispatch(SessionCore& core, EagerContext& context, const EagerOperation& operation, EagerHost& host,
                EagerOutputs& outputs);

/// Bytes of the outputs that are available already.
int64_t bytes_of(const EagerOutputs& outputs);

}  // namespace tinytf
