#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "base/inlined_vector.h"
#include "op/op_def.h"
#include "python/eager_tensor.h"
#include "python/frozen_attrs.h"
#include "runtime/eager/random_sequences.h"

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

  InlinedVector<EagerTensorObject*, 6> tensors;
  InlinedVector<int, 4> groups;
  InlinedVector<PyObject*, 1> owned;
};

/// An op as eager execution calls it, with the kernels of its variants. With the GIL held.
class __attribute__((visibility("hidden"))) EagerOp {
 public:
  explicit EagerOp(const OpDef& def);

  /// Collects the inputs; false if one of them is no eager tensor.
  bool flatten(PyObject* inputs, EagerInputs& flat) const;
  /// Null if no kernel is kept for such an operation, or if `attrs`, the program's own, cannot be compared cheaply.
  EagerKernel* find(const EagerInputs& inputs, PyObject* attrs) const;
  /// Makes a kernel, which goes on where one that was let go had come with its random numbers. It is kept for
  /// operations like this one if `attrs` can be compared cheaply.
  RefPtr<EagerKernel> make(const EagerInputs& inputs, AttrMap checked, PyObject* attrs);
  /// The kernel that is kept, or a new one of the attrs that `checked()` gives.
  template <class Checked>
  RefPtr<EagerKernel> find_or_make(const EagerInputs& inputs, PyObject* attrs, Checked checked) {
    if (EagerKernel* kept = find(inputs, attrs)) return RefPtr<EagerKernel>::share(kept);
    return make(inputs, checked(), attrs);
  }

  const OpDef& def() const { return def_; }
  /// Of how many seeded kernels that are not kept any more it is known how far their numbers had come.
  size_t kept_sequences() const { return sequences_.size(); }

  /// A kernel and what an operation must look like to be run by it.
  struct Variant {
    uint64_t hash = 0;
    std::vector<DType> types;  ///< of all inputs
    std::vector<int> groups;   ///< length of each list input; empty without
    FrozenAttrs attrs;
    RefPtr<EagerKernel> kernel;
  };

 private:
  static constexpr size_t kMostVariants = 512;
  void keep(Variant variant);

  const OpDef& def_;
  std::vector<Variant> variants_;
  size_t next_victim_ = 0;
  RandomSequences sequences_;
};

}  // namespace tinytf::python
