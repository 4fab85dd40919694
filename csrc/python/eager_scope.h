#pragma once

#include <pybind11/pybind11.h>

#include <unordered_map>

#include "handles/session_core.h"

namespace tinytf::python {

namespace py = pybind11;

/// Tensors whose values are freed when a scope ends. Holds only weak references. Requires the GIL. Context frames refer
/// to its Python object.
class __attribute__((visibility("hidden"))) TensorScope {
 public:
  explicit TensorScope(SessionCore& core) : core_(RefPtr<SessionCore>::share(&core)) {}
  TensorScope(const TensorScope&) = delete;
  TensorScope& operator=(const TensorScope&) = delete;

  SessionCore& core() { return *core_; }
  /// While the scope is open, tensors made in its session, in contexts that entered it, become members.
  bool open() const { return open_; }
  void close() { open_ = false; }
  void attach(PyObject* tensor);
  /// Marks a member so that its value survives its removal. Returns false if the tensor is not a member.
  bool retain(PyObject* tensor);
  /// Removes a tensor. Returns "owned" or "retained" for a member, else "".
  const char* remove(PyObject* tensor);
  /// Removes all members and returns the ones that are alive.
  py::list take();
  size_t size();

 private:
  struct Member {
    py::object reference;  // Weak.
    bool retained;
  };
  const RefPtr<SessionCore> core_;
  std::unordered_map<int64_t, Member> members_;
  bool open_ = true;
  size_t next_sweep_ = 64;  // Number of entries at which expired members are removed.
};

/// Adds a new tensor to the calling context's innermost open scope of the tensor's session.
void join_scope(PyObject* tensor);

}  // namespace tinytf::python
