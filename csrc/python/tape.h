#pragma once

#include <pybind11/pybind11.h>

#include <unordered_set>
#include <vector>

#include "python/eager_tensor.h"
#include "runtime/eager/eager_kernel.h"

namespace tinytf::python {

/// One operation that a tape saw. Owns what it refers to.
struct __attribute__((visibility("hidden"))) TapeRecord {
  RefPtr<EagerKernel> kernel;  ///< null for what Python reported with a function of its own
  py::object name;             ///< of the op, or of what was reported
  py::tuple inputs;
  py::tuple outputs;
  py::object backward;  ///< function of the outputs' gradients, or None
};

/// Remembers the operations through which watched tensors flowed, in their order. With the GIL held. Frames
/// of contexts refer to its Python object.
class __attribute__((visibility("hidden"))) Tape {
 public:
  Tape() = default;
  ~Tape() { recording_tapes -= pushed_; }
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  /// It records in contexts that entered it, as often pushed as popped: not.
  void push() { ++pushed_, ++recording_tapes; }
  void pop() {
    if (pushed_ > 0) --pushed_, --recording_tapes;
  }
  bool records_now() const { return pushed_ > 0; }
  /// Tapes of the whole process that record.
  static inline int recording_tapes = 0;

  void watch(int64_t id) { watched_.insert(id); }
  bool watches(int64_t id) const { return watched_.count(id) != 0; }
  /// Adds the record and watches its outputs if one of its inputs is watched.
  void see(const TapeRecord& record);
  const std::vector<TapeRecord>& records() const { return records_; }
  void clear();

 private:
  int pushed_ = 0;
  std::unordered_set<int64_t> watched_;
  std::vector<TapeRecord> records_;
};

/// Tapes that record in the calling context, owned: what shows them an operation may run Python code.
std::vector<py::object> active_tapes();
/// Whether there are any.
bool any_tape_here();
inline bool any_tape() { return Tape::recording_tapes > 0 && any_tape_here(); }

/// Whether gradients flow through values of the type.
bool is_trainable(DType dtype);

/// Shows an operation to the tapes of the calling context that watch one of its inputs.
void record_operation(EagerKernel& kernel, EagerTensorObject* const* inputs, PyObject* const* outputs);

}  // namespace tinytf::python
