#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <vector>

#include "base/inlined_vector.h"
#include "op/op_def.h"
#include "python/eager_current.h"
#include "python/eager_tensor.h"

namespace tinytf::python {

/// A kernel and what an operation must look like to be run by it.
struct __attribute__((visibility("hidden"))) CachedKernel {
  uint64_t hash = 0;
  std::vector<DType> types;  ///< of all inputs
  std::vector<int> groups;   ///< length of each list input; empty without
  /// Attrs as the program gave them, frozen: name, value, name, value, …
  std::vector<py::object> attrs;
  RefPtr<EagerKernel> kernel;
  std::shared_ptr<const std::vector<int>>
      output_groups;  ///< for each declared output: length of the list, or -1 for a tensor
};

/// The tensors of one operation.
struct EagerInputs {
  InlinedVector<EagerTensorObject*, 6> tensors;
  InlinedVector<int, 4> groups;
};

/// An op as eager execution calls it, with the kernels of its variants. With the GIL held.
class __attribute__((visibility("hidden"))) EagerOp {
 public:
  explicit EagerOp(const OpDef& def);

  /// Collects the inputs; false if one of them is no eager tensor.
  bool flatten(PyObject* inputs, EagerInputs& flat) const;
  /// Null if no kernel was made for such an operation yet, or if `attrs` cannot be compared cheaply.
  const CachedKernel* find(const EagerInputs& inputs, PyObject* attrs) const;
  /// Makes a kernel; it is kept for operations like this one if `attrs`, the program's own, can be compared cheaply.
  CachedKernel make(const EagerInputs& inputs, AttrMap checked, PyObject* attrs);

  const OpDef& def() const { return def_; }

 private:
  static constexpr size_t kMostKernels = 512;
  const OpDef& def_;
  std::vector<CachedKernel> kernels_;
  size_t next_victim_ = 0;
};

/// Runs an operation in a session and returns a new reference: None, a tensor, or a list with an entry for each
/// declared output. `name` (may be None) is for errors only.
PyObject* run_eagerly(const CachedKernel& cached, EagerTensorObject* const* inputs, SessionCore& core, PyObject* name);

/// The session for an operation on these: the current one; if there is none, the first tensor's.
RefPtr<SessionCore> core_for(EagerTensorObject* const* inputs, int count);

}  // namespace tinytf::python
