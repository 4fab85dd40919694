#pragma once

#include <mutex>
#include <string>

#include "op/kernel.h"
#include "op/shape_context.h"

namespace tinytf::ops {

/// A resource variable. Readers take a snapshot; writers hold the mutex and copy the memory first when somebody else
/// holds it, so that a value once read never changes. What a kernel gets of it, VariableRead and VariableUpdate have
/// checked.
class Variable final : public Resource {
 public:
  /// What handles and messages call the type.
  static constexpr const char* kTypeName = "tensorflow::Var";
  static constexpr const char* kRegistryType = "N10tensorflow3VarE";

  explicit Variable(DType dtype) : dtype_(dtype) {}

  DType dtype() const { return dtype_; }
  std::string debug_string() const override;

  /// The value now; invalid before the first assignment.
  Tensor value() const;
  /// Stores a value, or none, and gives the one before, to be released without a lock. The first value makes the
  /// variable visible in `resources` under the handle's name. InvalidArgument for another type than the variable's.
  Result<Tensor> exchange(ResourceManager& resources, const ResourceHandle& handle, Tensor value);
  /// Stores the first value. InvalidArgument if there is one, or as exchange.
  Status initialize(ResourceManager& resources, const ResourceHandle& handle, Tensor value);
  /// Takes the value away, and the variable out of `resources`.
  Status unset(ResourceManager& resources, const ResourceHandle& handle);

 private:
  friend class VariableUpdate;

  Status check_type(const Tensor& value) const;
  /// As exchange, for a caller who holds the mutex and has checked the type.
  Status swap(ResourceManager& resources, const ResourceHandle& handle, Tensor& value);
  /// Makes the caller, who holds the mutex, the only owner of the (valid) tensor's memory.
  Status own_memory(Allocator& allocator);

  const DType dtype_;
  mutable std::mutex mutex_;
  Tensor tensor_;
};

/// The first handle of input `i`, of type resource; one to nothing if there is none.
const ResourceHandle& input_handle(const KernelContext& ctx, int i);
/// The variable behind input `i`, initialised or not; InvalidArgument if the handle is not a variable's.
Result<Variable*> input_variable(const KernelContext& ctx, int i);
/// What a lookup of the uninitialised variable behind `handle` says: NotFound with TensorFlow's text.
Status variable_missing(const KernelContext& ctx, const ResourceHandle& handle);

/// A snapshot of the variable behind input `i` of type resource, for kernels that read elements of it.
class VariableRead {
 public:
  /// InvalidArgument if the handle is not a variable's or its value is not of type `dtype`; NotFound if it has none.
  Status open(const KernelContext& ctx, int i, DType dtype);
  const Tensor& value() const { return value_; }

 private:
  Tensor value_;
};

/// What shape inference knows about the variable behind input `i`, null if nothing. InvalidArgument if that is of
/// another type than the node's attr `dtype_attr` says: then the node can never run.
Result<const HandleInfo*> variable_info(const ShapeContext& c, int i, const char* dtype_attr);

/// The variables at inputs 0 … count - 1 of an updating op, references or resources alike, opened for change in place:
/// initialised, of type `dtype`, memory that nobody holds beyond a step, and locked (references only with
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
  Tensor memory_[kMax];  // of references
  std::mutex* locks_[kMax];
  int locked_ = 0;
};

}  // namespace tinytf::ops
