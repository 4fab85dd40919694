#pragma once

#include <mutex>
#include <string>

#include "op/kernel.h"

namespace tinytf::ops {

/// A resource variable. Readers take `tensor` under the mutex; writers hold the mutex and copy the memory first when
/// somebody else holds it, so that a value once read never changes.
class Variable final : public Resource {
 public:
  /// What handles and messages call the type.
  static constexpr const char* kTypeName = "tensorflow::Var";
  static constexpr const char* kRegistryType = "N10tensorflow3VarE";

  explicit Variable(DType dtype) : dtype_(dtype) {}

  DType dtype() const { return dtype_; }
  std::string debug_string() const override;

  std::mutex mutex;
  Tensor tensor;  ///< invalid until the first assignment

  /// Makes the caller, who holds the mutex, the only owner of the (valid) tensor's memory.
  Status own_memory(Allocator& allocator);

 private:
  const DType dtype_;
};

/// Input `i` of type resource as a handle.
inline const ResourceHandle& input_handle(const KernelContext& ctx, int i) {
  return *ctx.input(i).data<ResourceHandle>();
}
/// The variable behind input `i`, initialised or not; null with an error in `status` if the handle is not a variable's.
Variable* input_variable(const KernelContext& ctx, int i, Status* status);
/// What a lookup of the uninitialised variable behind `handle` says: NotFound with TensorFlow's text.
Status variable_missing(const KernelContext& ctx, const ResourceHandle& handle);
/// A snapshot of the variable behind input `i`; NotFound if it is uninitialised.
Result<Tensor> variable_value(KernelContext& ctx, int i);
/// Stores the first value or another one; the caller holds the mutex.
Status store(KernelContext& ctx, const ResourceHandle& handle, Variable& variable, Tensor value);

/// The variables at inputs 0 … count - 1 of an updating op, references or resources alike, opened for change in place:
/// initialised, of type `dtype`, resource memory owned by the variable alone, and locked (references only with
/// `use_locking`; in address order, so that ops that share variables cannot dead-lock) until this object is destroyed.
///
///   VariableUpdate vars;
///   TINYTF_RETURN_IF_ERROR(vars.open(ctx, 3, dtype, use_locking));
///   … vars[0].data<float>() …
///   vars.forward_ref(ctx);  // ops with an output_ref
class VariableUpdate {
 public:
  static constexpr int kMax = 4;

  VariableUpdate() = default;
  VariableUpdate(const VariableUpdate&) = delete;
  VariableUpdate& operator=(const VariableUpdate&) = delete;
  ~VariableUpdate();

  Status open(KernelContext& ctx, int count, DType dtype, bool use_locking);
  Tensor& operator[](int i) { return *tensors_[i]; }

  /// Passes the reference at input 0, if it is one, on as output 0.
  static void forward_ref(KernelContext& ctx) {
    if (ctx.node().inputs[0].is_ref) ctx.set_ref_output(0, &ctx.ref_input(0));
  }

 private:
  void lock_all();

  Tensor* tensors_[kMax];
  std::mutex* locks_[kMax];
  int locked_ = 0;
};

}  // namespace tinytf::ops
