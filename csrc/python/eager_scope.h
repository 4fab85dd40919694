#pragma once

#include <pybind11/pybind11.h>

#include <unordered_map>

#include "python/eager_tensor.h"

namespace tinytf::python {

/// Tensors whose values end with a scope. Keeps none of them alive. With the GIL held. Frames of contexts refer to its
/// Python object.
class __attribute__((visibility("hidden"))) TensorScope {
 public:
  explicit TensorScope(SessionCore& core) : core_(RefPtr<SessionCore>::share(&core)) {}
  TensorScope(const TensorScope&) = delete;
  TensorScope& operator=(const TensorScope&) = delete;

  SessionCore& core() { return *core_; }
  /// Tensors that are made in the scope's session, in contexts that entered it, become members until it is closed.
  bool open() const { return open_; }
  void close() { open_ = false; }
  void attach(PyObject* tensor);
  /// A member that survives its removal; false if it is none.
  bool retain(PyObject* tensor);
  /// "owned" or "retained" for what was a member, else "".
  const char* remove(PyObject* tensor);
  /// Members that are alive, which are none afterwards.
  py::list take();
  size_t size();

 private:
  struct Member {
    py::object reference;  // a weak one
    bool retained;
  };
  const RefPtr<SessionCore> core_;
  std::unordered_map<int64_t, Member> members_;
  bool open_ = true;
  size_t next_sweep_ = 64;  // members that are gone are forgotten when there are so many entries
};

/// Makes a new tensor a member of the calling context's innermost open scope of its session.
void join_scope(PyObject* tensor);

}  // namespace tinytf::python
