#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "base/inlined_vector.h"
#include "op/op_def.h"
#include "python/eager_tensor.h"
#include "python/errors.h"
#include "python/frozen_attrs.h"
#include "runtime/eager/kernel_cache.h"

namespace tinytf::python {

/// The tensors of one operation. Those of lists are owned, as another thread may change the list; the others are the
/// caller's.
struct EagerInputs {
  EagerInputs() = default;
  ~EagerInputs() {
    for (PyObject* item : owned) Py_DECREF(item);
  }
  EagerInputs(const EagerInputs&) = delete;
  EagerInputs& operator=(const EagerInputs&) = delete;

  int count() const { return static_cast<int>(tensors.size()); }
  DType dtype(int i) const { return tensors[i]->handle->dtype(); }
  const InlinedVector<int, 4>& groups() const { return lengths; }

  InlinedVector<EagerTensorObject*, 6> tensors;
  InlinedVector<int, 4> lengths;  ///< of list inputs, 1 for others; empty for ops without lists
  InlinedVector<PyObject*, 1> owned;
};

/// An op as eager execution calls it, with the kernels of its variants. With the GIL held.
class __attribute__((visibility("hidden"))) EagerOp {
 public:
  explicit EagerOp(const OpDef& def) : kernels_(def) {}

  /// Collects the inputs; false if one of them is no eager tensor.
  bool flatten(PyObject* inputs, EagerInputs& flat) const;
  /// Null if no kernel is kept for such an operation, or if `attrs`, the program's own, cannot be compared cheaply.
  EagerKernel* find(const EagerInputs& inputs, PyObject* attrs) const {
    return kernels_.find(inputs, [attrs](const FrozenAttrs& kept) { return same_attrs(kept, attrs); });
  }
  /// As EagerKernelCache::make; kept if `attrs` can be compared cheaply.
  RefPtr<EagerKernel> make(const EagerInputs& inputs, AttrMap checked, PyObject* attrs) {
    const auto freeze_attrs = [attrs](FrozenAttrs* kept) { return freeze(attrs, *kept); };
    return value_or_throw(kernels_.make(inputs, std::move(checked), freeze_attrs));
  }
  /// The kernel that is kept, or a new one of the attrs that `checked()` gives.
  template <class Checked>
  RefPtr<EagerKernel> find_or_make(const EagerInputs& inputs, PyObject* attrs, Checked checked) {
    if (EagerKernel* kept = find(inputs, attrs)) return RefPtr<EagerKernel>::share(kept);
    return make(inputs, checked(), attrs);
  }

  const OpDef& def() const { return kernels_.def(); }
  size_t kept_sequences() const { return kernels_.kept_sequences(); }

 private:
  EagerKernelCache<FrozenAttrs> kernels_;
};

}  // namespace tinytf::python
