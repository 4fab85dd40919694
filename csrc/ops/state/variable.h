#pragma once

#include <mutex>
#include <string>

#include "op/kernel.h"
#include "op/shape_context.h"

namespace tinytf::ops {

/// A resource variable. Readers take a snapshot; writers hold the mutex and first copy the memory if it is shared, so
/// that a snapshot never changes. Kernels access it through VariableRead and VariableUpdate, which check its dtype.
class Variable final : public Resource {
 public:
  /// Name of the type in handles and messages.
  static constexpr const char* kTypeName = "tensorflow::Var";
  static constexpr const char* kRegistryType = "N10tensorflow3VarE";

  explicit Variable(DType dtype) : dtype_(dtype) {}

  DType dtype() const { return dtype_; }
  std::string debug_string() const override;

  /// A snapshot of the value; invalid before the first assignment.
  Tensor value() const;
  /// Stores a value, or none, and returns the previous one, to be released without a lock. The first value makes the
  /// variable visible in `resources` under the name of the handle. InvalidArgument if the dtype differs from the
  /// variable's.
  Result<Tensor> exchange(ResourceManager& resources, const ResourceHandle& handle, Tensor value);
  /// Stores the first value. InvalidArgument if there is a value already; else fails as exchange.
  Status initialize(ResourceManager& resources, const ResourceHandle& handle, Tensor value);
  /// Removes the value, and the variable from `resources`.
  Status unset(ResourceManager& resources, const ResourceHandle& handle);

 private:
  friend class VariableUpdate;

  Status check_type(const Tensor& value) const;
  /// Like exchange. The caller holds the mutex and has checked the dtype.
  Status swap(ResourceManager& resources, const ResourceHandle& handle, Tensor& value);
  /// Makes the (valid) tensor the only owner of its memory, copying it if it is shared. The caller holds the mutex.
  Status own_memory(Allocator& allocator);

  const DType dtype_;
  mutable std::mutex mutex_;
  Tensor tensor_;
};

/// The first handle of input `i`, which has dtype resource; an empty handle if the input has no elements.
const ResourceHandle& input_handle(const KernelContext& ctx, int i);
/// The variable behind input `i`, initialized or not. InvalidArgument if the handle refers to another type.
Result<Variable*> input_variable(const KernelContext& ctx, int i);
/// The error of a lookup of the uninitialized variable behind `handle`: NotFound with TensorFlow's message.
Status variable_missing(const KernelContext& ctx, const ResourceHandle& handle);

/// A snapshot of the variable behind input `i` of dtype resource, for kernels that read its elements.
class VariableRead {
 public:
  /// InvalidArgument if the handle does not refer to a variable or its value is not of type `dtype`; NotFound if it has
  /// no value.
  Status open(const KernelContext& ctx, int i, DType dtype);
  const Tensor& value() const { return value_; }

 private:
  Tensor value_;
};

/// The handle data of the variable behind input `i`, or null if there is none. InvalidArgument if its dtype differs
/// from attr `dtype_attr`, because the node can then never run.
Result<const HandleInfo*> variable_info(const ShapeContext& c, int i, const char* dtype_attr);

/// The variables at inputs 0 to count - 1 of an updating op, references or resources alike, opened for in-place
/// changes. They are initialized, of type `dtype`, in memory that is not held beyond a step, and locked until this
/// object is destroyed. References are locked only with `use_locking`; locks are taken in address order, so that ops
/// that share variables cannot deadlock.
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

  /// Passes input 0 on as output 0 if it is a reference.
  static void forward_ref(KernelContext& ctx) {
    if (ctx.node().inputs[0].is_ref) ctx.set_ref_output(0, &ctx.ref_input(0));
  }

 private:
  void lock_all();

  Tensor* tensors_[kMax];
  Tensor memory_[kMax];  // memory of references
  std::mutex* locks_[kMax];
  int locked_ = 0;
};

}  // namespace tinytf::ops
