#pragma once

#include <string>
#include <utility>

#include "base/inlined_vector.h"
#include "runtime/eager/eager_context.h"
#include "runtime/eager/eager_host.h"

namespace tinytf {

/// An operation as it is called. Outlives the dispatch, and so do the owners of the inputs.
struct EagerOperation {
  EagerKernel& kernel;
  TensorHandle* const* inputs;
  const std::string& name;  ///< what the program calls it, for errors; '' if nothing
  int device = 0;           ///< that it is to run on, or the number of one that no session has
};

/// Handles for what an operation yields, null where there was no memory for one: dropped at the end, unless somebody
/// has taken them over.
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
  /// Whoever calls it owns handle i from now on.
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

/// Runs an operation in a session whose core the caller is inside: on the calling thread, without the host's lock if it
/// takes long, or in asynchronous sessions later on the session's. On success `outputs`, which is empty, has the
/// handles. InvalidArgument for devices that do not fit, a FreedValue, or the error of the operation, which has its
/// name then.
Status dispatch(SessionCore& core, EagerContext& context, const EagerOperation& operation, EagerHost& host,
                EagerOutputs& outputs);

/// Bytes of outputs that are there.
int64_t bytes_of(const EagerOutputs& outputs);

}  // namespace tinytf
