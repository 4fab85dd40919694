#include <algorithm>

#include "base/checked.h"
#include "base/read_once.h"
#include "kernels/table.h"
#include "op/registration.h"
#include "ops/array/shared/gather_rows.h"
#include "ops/dtype_lists.h"
#include "ops/object_cost.h"
#include "ops/state/variable.h"

namespace tinytf::ops {
namespace {

/// The update of each row: one of the operations of the loops, or a plain store.
enum class Update { kAdd, kSub, kMul, kDiv, kMin, kMax, kStore };

kernels::ScatterFn loop_of(Update update, DType dtype) {
  if (update == Update::kStore) return nullptr;
  static_assert(static_cast<int>(Update::kMax) == static_cast<int>(kernels::Scatter::kMax));
  return kernels::table().gather.scatter[static_cast<int>(update)][static_cast<int>(dtype)];
}

/// Applies updates to rows of `target` viewed as [limit, inner]. Returns the position of the first row index out of
/// range, or kAllInRange.
int64_t scatter_rows(KernelContext& ctx, kernels::ScatterFn loop, Tensor& target, int64_t limit, int64_t inner,
                     const kernels::Indices& rows, const Tensor& updates, bool scalar) {
  if (loop != nullptr) return loop(target.raw(), limit, inner, rows, updates.raw(), scalar, ctx.parallel());
  if (const size_t size = dtype_size(target.dtype())) {
    return kernels::table().gather.scatter_update(target.raw(), limit, inner * static_cast<int64_t>(size), rows,
                                                  updates.raw(), scalar ? size : 0, ctx.parallel());
  }
  const int64_t bad = kernels::table().gather.check(rows, limit, ctx.parallel());
  if (bad != kernels::kAllInRange) return bad;
  int64_t changed = kernels::kAllInRange;  // position of an index that was concurrently changed after the check
  ctx.parallel().run_in_order(rows.count, kObjectCost * static_cast<double>(inner), [&](int64_t i, int64_t end) {
    for (; changed == kernels::kAllInRange && i < end; ++i) {
      const int64_t row = rows.type == DType::kInt64 ? read_once(static_cast<const int64_t*>(rows.data) + i)
                                                     : read_once(static_cast<const int32_t*>(rows.data) + i);
      if (row < 0 || row >= limit) {
        changed = i;
        return;
      }
      for (int64_t k = 0; k < inner; ++k) {
        copy_elements(updates, scalar ? 0 : i * inner + k, target, row * inner + k, 1);
      }
    }
  });
  return changed;
}

bool locking(KernelInit& init) {
  const bool* value = init.node().attrs.get<bool>("use_locking");
  return value == nullptr || *value;
}

/// Kernel of Scatter… on references and of ResourceScatter…: updates row indices[i] along dimension 0 with updates[i].
class ScatterKernel final : public Kernel {
 public:
  ScatterKernel(KernelInit& init, Update update)
      : dtype_(init.input_type(2)), use_locking_(locking(init)), loop_(loop_of(update, dtype_)) {}

  Status compute(KernelContext& ctx) override {
    VariableUpdate variable;
    TINYTF_RETURN_IF_ERROR(variable.open(ctx, 1, dtype_, use_locking_));
    VariableUpdate::forward_ref(ctx);
    Tensor& target = variable[0];
    const Tensor& indices = ctx.input(1);
    const Tensor& updates = ctx.input(2);
    if (target.rank() < 1)
      return invalid_argument("params must be at least 1-D, got shape ", target.shape().to_string());
    const bool scalar = updates.rank() == 0;
    Shape expected = indices.shape();
    for (int d = 1; d < target.rank(); ++d) expected.add_dim(target.dim(d));
    if (!scalar && updates.shape() != expected) {
      return invalid_argument("Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got ",
                              "updates.shape ", updates.shape().to_string(), ", indices.shape ",
                              indices.shape().to_string(), ", params.shape ", target.shape().to_string());
    }
    if (indices.num_elements() == 0) return Status();
    const int64_t bad = scatter_rows(ctx, loop_, target, target.dim(0), target.shape().product(1, target.rank()),
                                     {indices.raw(), indices.dtype(), indices.num_elements()}, updates, scalar);
    return bad == kernels::kAllInRange ? Status() : bad_index(indices, bad, target.dim(0));
  }

 private:
  const DType dtype_;
  const bool use_locking_;
  const kernels::ScatterFn loop_;
};

/// Checks the shape of updates of rows: the shape of the indices followed by the shape of a row, or [].
Status check_updates(const PartialShape& variable, const PartialShape& indices, const PartialShape& updates) {
  if (updates.rank() == 0 || !variable.known_rank()) return Status();
  return updates.merge(indices.concatenate(variable.slice(std::min(1, variable.rank())))).status();
}

Status scatter_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_updates(c.input(0), c.input(1), c.input(2)));
  c.set_output(0, c.input(0));
  return Status();
}

Status resource_scatter_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const HandleInfo* info, variable_info(c, 0, "dtype"));
  return info == nullptr ? Status() : check_updates(info->shape, c.input(1), c.input(2));
}

/// Checks coordinates [..., depth] and updates against the target shape, and sets `inner` to the size of one slice.
Status check_nd(const Shape& target, const Tensor& indices, const Tensor& updates, int64_t* inner) {
  if (indices.rank() < 1)
    return invalid_argument("Indices shape must have rank at least one. Found: ", indices.shape().to_string());
  if (target.num_elements() == 0 && (indices.num_elements() > 0 || updates.num_elements() > 0)) {
    return invalid_argument("Indices and updates specified for empty output.  indices shape: ",
                            indices.shape().to_string());
  }
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth > target.rank() && target.rank() == 0) {
    return invalid_argument("Output must be at least 1-D, got shape: ", target.to_string());
  }
  Shape expected = indices.shape();
  expected.remove_dim(expected.rank() - 1);
  for (int64_t d = depth; d < target.rank(); ++d) expected.add_dim(target.dim(static_cast<int>(d)));
  if (depth > target.rank() || updates.shape() != expected) {
    return invalid_argument(
        "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim:], got "
        "updates.shape: ",
        updates.shape().to_string(), ", indices.shape: ", indices.shape().to_string(),
        ", params_shape: ", target.to_string(), ", slice_dim: ", depth, ", and batch_dim: ", indices.rank() - 1);
  }
  *inner = target.product(static_cast<int>(depth), target.rank());
  return Status();
}

Status scatter_nd_into(KernelContext& ctx, kernels::ScatterFn loop, Tensor& target, const Tensor& indices,
                       const Tensor& updates) {
  int64_t inner;
  TINYTF_RETURN_IF_ERROR(check_nd(target.shape(), indices, updates, &inner));
  if (updates.num_elements() == 0) return Status();
  int64_t bad;
  TINYTF_ASSIGN_OR_RETURN(const Tensor rows, coordinate_rows(ctx, indices, target.shape().dims(), &bad));
  if (bad != kernels::kAllInRange) return bad_coordinates(indices, bad, "shape", target.shape());
  scatter_rows(ctx, loop, target, target.num_elements() / inner, inner, {rows.raw(), DType::kInt64, rows.dim(0)},
               updates, false);
  return Status();
}

/// Kernel of ScatterNd… on references and of ResourceScatterNd….
class ScatterNdUpdateKernel final : public Kernel {
 public:
  ScatterNdUpdateKernel(KernelInit& init, Update update)
      : dtype_(init.input_type(2)), use_locking_(locking(init)), loop_(loop_of(update, dtype_)) {}

  Status compute(KernelContext& ctx) override {
    VariableUpdate variable;
    TINYTF_RETURN_IF_ERROR(variable.open(ctx, 1, dtype_, use_locking_));
    VariableUpdate::forward_ref(ctx);
    return scatter_nd_into(ctx, loop_, variable[0], ctx.input(1), ctx.input(2));
  }

 private:
  const DType dtype_;
  const bool use_locking_;
  const kernels::ScatterFn loop_;
};

/// Checks coordinates [outer..., depth] and updates [outer..., inner...] against a target [depth sizes..., inner...],
/// which messages call `name`. As in TensorFlow, the kernel checks the rank of the target.
Status check_nd_shapes(const char* name, const PartialShape& target, const PartialShape& indices,
                       const PartialShape& updates) {
  if (!indices.known_rank() || !updates.known_rank()) return Status();
  if (indices.rank() < 1) return invalid_argument("Shape must be at least rank 1 but is rank 0");
  const int64_t depth = indices.dim(-1);
  if (depth < 0) return Status();
  const int outer = indices.rank() - 1;
  const auto same_outer = indices.slice(0, outer).merge(updates.slice(0, outer));
  if (!same_outer.ok()) {
    return invalid_argument("The outer ", outer, " dimensions of indices.shape=", indices.to_string(),
                            " must match the outer ", outer, " dimensions of updates.shape=", updates.to_string(), ": ",
                            same_outer.status().message());
  }
  if (!target.known_rank()) return Status();
  const PartialShape inner = target.slice(std::min<int64_t>(depth, target.rank())), slices = updates.slice(outer);
  const auto same_inner = inner.merge(slices);
  if (!same_inner.ok()) {
    return invalid_argument("The inner ", inner.rank(), " dimensions of ", name, ".shape=", target.to_string(),
                            " must match the inner ", slices.rank(),
                            " dimensions of updates.shape=", updates.to_string(), ": ", same_inner.status().message());
  }
  const bool updated = same_outer.value().concatenate(same_inner.value()).num_elements() > 0;
  if (target.num_elements() == 0 && (updated || indices.num_elements() > 0)) {
    return invalid_argument("Indices and updates specified for empty output shape");
  }
  return Status();
}

Status scatter_nd_update_shape(ShapeContext& c) {
  for (int i : {1, 2}) TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(i, 1));
  TINYTF_RETURN_IF_ERROR(check_nd_shapes("input", c.input(0), c.input(1), c.input(2)));
  c.set_output(0, c.input(0));
  return Status();
}

Status tensor_scatter_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1));
  return scatter_nd_update_shape(c);
}

Status resource_scatter_nd_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const HandleInfo* info, variable_info(c, 0, "T"));
  return info == nullptr ? Status() : check_nd_shapes("input", info->shape, c.input(1), c.input(2));
}

/// Kernel of TensorScatter…: applies the updates to a copy of the tensor, or to the tensor itself if its buffer is
/// free.
class TensorScatterKernel final : public Kernel {
 public:
  TensorScatterKernel(KernelInit& init, Update update) : loop_(loop_of(update, init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& tensor = ctx.input(0);
    if (tensor.num_elements() == 0 && (ctx.input(1).num_elements() > 0 || ctx.input(2).num_elements() > 0)) {
      return invalid_argument("Indices and updates specified for empty output shape");
    }
    const bool in_place = ctx.can_forward(0, tensor.dtype(), tensor.num_elements());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.forward_or_allocate(0, 0, tensor.shape()));
    if (!in_place) copy_elements(tensor, 0, *out, 0, tensor.num_elements());
    return scatter_nd_into(ctx, loop_, *out, ctx.input(1), ctx.input(2));
  }

 private:
  const kernels::ScatterFn loop_;
};

/// Kernel of ScatterNd, which scatters into zeros. For equal coordinates booleans are combined by OR and strings are
/// concatenated.
class ScatterNdKernel final : public Kernel {
 public:
  explicit ScatterNdKernel(KernelInit& init) : dtype_(init.output_type(0)) {
    if (dtype_ != DType::kBool && dtype_ != DType::kString) loop_ = loop_of(Update::kAdd, dtype_);
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& indices = ctx.input(0);
    const Tensor& updates = ctx.input(1);
    const Tensor& sizes = ctx.input(2);
    if (sizes.rank() != 1) return invalid_argument("Shape must be a vector");
    Dims dims;
    for (int64_t i = 0; i < sizes.dim(0); ++i) dims.push_back(sizes.int_at(i));
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(dims));
    if (shape.num_elements() == 0 && (indices.num_elements() > 0 || updates.num_elements() > 0)) {
      return invalid_argument("Indices and updates specified for empty output shape");
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    if (dtype_ != DType::kString) {
      kernels::table().copy.fill(out->raw(), kZeroElement, dtype_size(dtype_), out->num_elements(), ctx.parallel());
    }
    if (loop_ != nullptr) return scatter_nd_into(ctx, loop_, *out, indices, updates);
    int64_t inner, bad;
    TINYTF_RETURN_IF_ERROR(check_nd(shape, indices, updates, &inner));
    TINYTF_ASSIGN_OR_RETURN(const Tensor rows, coordinate_rows(ctx, indices, shape.dims(), &bad));
    if (bad != kernels::kAllInRange) return bad_coordinates(indices, bad, "shape", shape);
    ctx.parallel().run_in_order(updates.num_elements(), kObjectCost, [&](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        const int64_t to = rows.data<int64_t>()[i / inner] * inner + i % inner;
        if (dtype_ == DType::kBool) {
          out->data<bool>()[to] |= updates.data<bool>()[i];
        } else {
          out->data<std::string>()[to] += updates.data<std::string>()[i];
        }
      }
    });
    return Status();
  }

 private:
  const DType dtype_;
  kernels::ScatterFn loop_ = nullptr;
};

Status scatter_nd_shape(ShapeContext& c) {
  const PartialShape& sizes = c.input(2);
  for (int i : {0, 1}) TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(i, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  TINYTF_RETURN_IF_ERROR(check_nd_shapes(
      "output", sizes.rank() == 1 && sizes.dim(0) >= 0 ? PartialShape::unknown_of_rank(sizes.dim(0)) : PartialShape(),
      c.input(0),
      c.input(1)));  // TensorFlow's message omits the sizes if ranks are wrong
  PartialShape out = c.input_as_shape(2);
  if (out.num_elements() == 0 && (c.input(0).num_elements() > 0 || c.input(1).num_elements() > 0)) {
    return invalid_argument("Indices and updates specified for empty output shape");
  }
  TINYTF_RETURN_IF_ERROR(check_nd_shapes("output", out, c.input(0), c.input(1)));
  c.set_output(0, std::move(out));
  return Status();
}

class ResourceGatherKernel final : public Kernel {
 public:
  explicit ResourceGatherKernel(KernelInit& init)
      : batch_dims_(init.attr<int64_t>("batch_dims")), dtype_(init.output_type(0)) {}

  Status compute(KernelContext& ctx) override {
    VariableRead params;
    TINYTF_RETURN_IF_ERROR(params.open(ctx, 0, dtype_));
    const int rank = params.value().rank();
    const Tensor& indices = ctx.input(1);
    if (rank < 1) return invalid_argument("params must be at least 1 dimensional");
    if (batch_dims_ < 0) return invalid_argument("batch_dims is negative (", batch_dims_, ")");
    if (batch_dims_ > indices.rank() || batch_dims_ >= rank) {
      return invalid_argument("batch_dims (", batch_dims_, ") must be less than rank(params) (", rank, ").");
    }
    const int axis = static_cast<int>(batch_dims_);
    return gather_along(ctx, params.value(), indices, axis, axis);
  }

 private:
  const int64_t batch_dims_;
  const DType dtype_;
};

Status resource_gather_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const HandleInfo* info, variable_info(c, 0, "dtype"));
  const int64_t batch_dims = c.attr<int64_t>("batch_dims");
  if (batch_dims < 0) return invalid_argument("batch_dims is negative (", batch_dims, ")");
  const auto check_rank = [](const PartialShape& shape, Size least) {
    if (!shape.known_rank() || least.within(0, shape.rank())) return Status();
    return invalid_argument("Shape must be at least rank ", least.value(), " but is rank ", shape.rank());
  };
  if (info != nullptr) TINYTF_RETURN_IF_ERROR(check_rank(info->shape, Size(batch_dims) + 1));
  TINYTF_RETURN_IF_ERROR(check_rank(c.input(1), batch_dims));
  if (info == nullptr || !info->shape.known_rank() || !c.input(1).known_rank()) return Status();
  const int axis = static_cast<int>(batch_dims);
  TINYTF_ASSIGN_OR_RETURN(PartialShape out, gather_shape(info->shape, c.input(1), axis, axis));
  c.set_output(0, std::move(out));
  return Status();
}

class ResourceGatherNdKernel final : public Kernel {
 public:
  explicit ResourceGatherNdKernel(KernelInit& init) : dtype_(init.output_type(0)) {}

  Status compute(KernelContext& ctx) override {
    VariableRead params;
    TINYTF_RETURN_IF_ERROR(params.open(ctx, 0, dtype_));
    return gather_nd(ctx, params.value(), ctx.input(1));
  }

 private:
  const DType dtype_;
};

Status resource_gather_nd_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const HandleInfo* info, variable_info(c, 0, "dtype"));
  if (info == nullptr) return Status();
  TINYTF_ASSIGN_OR_RETURN(PartialShape out, gather_nd_shape(info->shape, c.input(1)));
  c.set_output(0, std::move(out));
  return Status();
}

template <class K>
KernelDef::Factory factory(Update update) {
  return [update](KernelInit& init) { return std::make_unique<K>(init, update); };
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(state_scatter) {
  using namespace tinytf::ops;
  using tinytf::DType;
  struct Family {
    const char* name;
    Update update;
    const char* doc;
  };
  const Family rows[] = {{"Add", Update::kAdd, "Adds"},
                         {"Sub", Update::kSub, "Subtracts"},
                         {"Mul", Update::kMul, "Multiplies by"},
                         {"Div", Update::kDiv, "Divides by"},
                         {"Min", Update::kMin, "Takes the minimum with"},
                         {"Max", Update::kMax, "Takes the maximum with"},
                         {"Update", Update::kStore, "Stores"}};
  for (const Family& f : rows) {
    const bool store = f.update == Update::kStore;
    const bool extremum = f.update == Update::kMin || f.update == Update::kMax;
    const char* type = store ? "type" : extremum ? "{half, bfloat16, float, double, int32, int64}" : "numbertype";
    const std::string by_ref = tinytf::str_cat("Scatter", f.name),
                      by_handle = tinytf::str_cat("ResourceScatter", f.name);
    auto ref = ops.op(by_ref);
    ref.input("ref: Ref(T)")
        .input("indices: Tindices")
        .input("updates: T")
        .output("output_ref: Ref(T)")
        .attr(tinytf::str_cat("T: ", type))
        .attr("Tindices: {int32, int64}")
        .attr(store ? "use_locking: bool = true" : "use_locking: bool = false")
        .shape(scatter_shape)
        .doc(tinytf::str_cat(
            f.doc,
            " `updates[i]` (or the scalar `updates`) in row `indices[i]` of the variable `ref`, for each i in order. "
            "Fails with InvalidArgument, without writing anything, if an index is out of range."));
    if (f.update == Update::kAdd || f.update == Update::kSub || f.update == Update::kMul || f.update == Update::kDiv) {
      ref.not_differentiable();
    } else {
      ref.no_gradient();
    }
    auto ref_kernel = kernels.add(by_ref, factory<ScatterKernel>(f.update));
    if (!store) ref_kernel.where("T", extremum ? kAllReals : kAllNumbers);

    ops.op(by_handle)
        .input("resource: resource")
        .input("indices: Tindices")
        .input("updates: dtype")
        .attr(store ? "dtype: type" : "dtype: numbertype")
        .attr("Tindices: {int32, int64}")
        .stateful()
        .shape(resource_scatter_shape)
        .no_gradient()
        .doc(tinytf::str_cat(f.doc,
                             " `updates[i]` (or the scalar `updates`) in row `indices[i]` of the resource variable, "
                             "for each i in order."));
    auto handle_kernel = kernels.add(by_handle, factory<ScatterKernel>(f.update));
    if (!store) handle_kernel.where("dtype", extremum ? kAllReals : kAllNumbers);
  }

  const Family nd[] = {
      {"Add", Update::kAdd, "Adds"}, {"Sub", Update::kSub, "Subtracts"}, {"Update", Update::kStore, "Stores"}};
  for (const Family& f : nd) {
    const bool store = f.update == Update::kStore;
    const std::string by_ref = tinytf::str_cat("ScatterNd", f.name);
    const std::string by_handle = tinytf::str_cat("ResourceScatterNd", f.name);
    ops.op(by_ref)
        .input("ref: Ref(T)")
        .input("indices: Tindices")
        .input("updates: T")
        .output("output_ref: Ref(T)")
        .attr(store ? "T: type" : "T: numbertype")
        .attr("Tindices: {int32, int64}")
        .attr(store ? "use_locking: bool = true" : "use_locking: bool = false")
        .shape(scatter_nd_update_shape)
        .not_differentiable()
        .doc(tinytf::str_cat(
            f.doc,
            " the slices `updates` at the coordinates in the last dimension of `indices` of the variable `ref`."));
    auto ref_kernel = kernels.add(by_ref, factory<ScatterNdUpdateKernel>(f.update));
    if (!store) ref_kernel.where("T", kAllNumbers);

    ops.op(by_handle)
        .input("ref: resource")
        .input("indices: Tindices")
        .input("updates: T")
        .attr("T: type")
        .attr("Tindices: {int32, int64}")
        .attr("use_locking: bool = true")
        .stateful()
        .shape(resource_scatter_nd_shape)
        .no_gradient()
        .doc(tinytf::str_cat(f.doc,
                             " the slices `updates` at the coordinates in the last dimension of `indices` of the "
                             "resource variable `ref`."));
    auto handle_kernel = kernels.add(by_handle, factory<ScatterNdUpdateKernel>(f.update));
    if (!store) handle_kernel.where("T", kAllNumbers);
  }

  for (const Family& f : nd) {
    const std::string name = tinytf::str_cat("TensorScatter", f.name);
    ops.op(name)
        .input("tensor: T")
        .input("indices: Tindices")
        .input("updates: T")
        .output("output: T")
        .attr("T: type")
        .attr("Tindices: {int32, int64}")
        .shape(tensor_scatter_shape)
        .endpoint(f.update == Update::kStore ? "tensor_scatter_nd_update"
                  : f.update == Update::kAdd ? "tensor_scatter_nd_add"
                                             : "tensor_scatter_nd_sub")
        .endpoint(f.update == Update::kStore ? "tensor_scatter_update"
                  : f.update == Update::kAdd ? "tensor_scatter_add"
                                             : "tensor_scatter_sub")
        .doc("Copies `tensor` and stores, adds or subtracts the slices `updates` at the coordinates in `indices`.");
    auto kernel = kernels.add(name, factory<TensorScatterKernel>(f.update));
    if (f.update != Update::kStore) kernel.where("T", kAllNumbers);
  }

  ops.op("ScatterNd")
      .input("indices: Tindices")
      .input("updates: T")
      .input("shape: Tindices")
      .output("output: T")
      .attr("T: type")
      .attr("Tindices: {int32, int64}")
      .shape(scatter_nd_shape)
      .endpoint("scatter_nd")
      .endpoint("manip.scatter_nd")
      .doc(
          "Adds the slices `updates` to zeros of shape `shape` at the coordinates in the last dimension of `indices`.");
  kernels.add<ScatterNdKernel>("ScatterNd").where("T", any_of({kPlain, {DType::kString}}));

  ops.op("ResourceGather")
      .input("resource: resource")
      .input("indices: Tindices")
      .output("output: dtype")
      .attr("batch_dims: int = 0")
      .attr("validate_indices: bool = true")
      .attr("dtype: type")
      .attr("Tindices: {int32, int64}")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(resource_gather_shape)
      .doc("Gathers the rows of the resource variable at `indices`.");
  kernels.add<ResourceGatherKernel>("ResourceGather");

  ops.op("ResourceGatherNd")
      .input("resource: resource")
      .input("indices: Tindices")
      .output("output: dtype")
      .attr("dtype: type")
      .attr("Tindices: {int32, int64}")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(resource_gather_nd_shape)
      .doc("Gathers the slices of the resource variable at the coordinates in the last dimension of `indices`.");
  kernels.add<ResourceGatherNdKernel>("ResourceGatherNd");
}
