#include <deque>
#include <map>
#include <mutex>
#include <numeric>

#include "op/guarded.h"
#include "op/kept_value.h"
#include "op/registration.h"
#include "ops/sparse/shared/sparse_shapes.h"
#include "ops/sparse/shared/sparse_value.h"
#include "ops/state/shared/resource_name.h"

namespace tinytf::ops {
namespace {

/// SparseTensors that are kept under numbers (handles) until they are taken. Thread-safe.
class SparseTensorsMap final : public Resource {
 public:
  static constexpr const char* kRegistryType = "N10tensorflow16SparseTensorsMapE";

  explicit SparseTensorsMap(std::string name) : name_(std::move(name)) {}

  /// Adds all of them, or none if it throws. Returns the number of the first; the others have consecutive numbers.
  int64_t add(std::deque<SparseValue> sparse) {
    Kept added;
    for (size_t i = 0; i < sparse.size(); ++i) {
      added.emplace_hint(added.end(), static_cast<int64_t>(i), std::move(sparse[i]));
    }
    const std::lock_guard lock(mutex_);
    const int64_t first = next_;
    while (!added.empty()) {
      Kept::node_type node = added.extract(added.begin());
      node.key() = next_++;
      kept_.insert(kept_.end(), std::move(node));
    }
    return first;
  }

  /// Removes the SparseTensors with these handles and calls use() with them, in order. InvalidArgument if one is
  /// missing or has another dtype, or if the ranks differ. If that or use() fails, all are put back.
  template <class Use>
  Status take(const std::vector<int64_t>& handles, DType dtype, Use&& use) {
    std::vector<Kept::node_type> taken;
    taken.reserve(handles.size());
    const Status status = guarded([&]() -> Status {
      TINYTF_RETURN_IF_ERROR(extract(handles, &taken));
      std::vector<SparseValue> rows;
      rows.reserve(taken.size());
      for (const Kept::node_type& node : taken) rows.push_back(node.mapped());
      TINYTF_RETURN_IF_ERROR(check(rows, dtype));
      return use(rows);
    });
    if (status.ok()) return status;
    const std::lock_guard lock(mutex_);
    for (Kept::node_type& node : taken) kept_.insert(std::move(node));
    return status;
  }
  std::string debug_string() const override { return "A SparseTensorsMap"; }

 private:
  using Kept = std::map<int64_t, SparseValue>;

  Status extract(const std::vector<int64_t>& handles, std::vector<Kept::node_type>* taken) {
    const std::lock_guard lock(mutex_);
    for (const int64_t handle : handles) {
      Kept::node_type node = kept_.extract(handle);
      if (node.empty()) return invalid_argument("Unable to find SparseTensor: ", handle, " in map: ", name_);
      taken->push_back(std::move(node));
    }
    return Status();
  }
  static Status check(const std::vector<SparseValue>& taken, DType dtype) {
    for (size_t i = 0; i < taken.size(); ++i) {
      if (taken[i].values.dtype() != dtype) {
        return invalid_argument("Requested SparseTensor of type ", dtype_name(dtype), " but SparseTensor[", i,
                                "].values.dtype() == ", dtype_name(taken[i].values.dtype()));
      }
    }
    for (size_t i = 0; i < taken.size(); ++i) {
      if (taken[i].rank() == taken[0].rank()) continue;
      return invalid_argument("Inconsistent rank across SparseTensors: rank prior to SparseTensor[", i,
                              "] was: ", taken[0].rank() + 1, " but rank of SparseTensor[", i,
                              "] is: ", taken[i].rank() + 1);
    }
    return Status();
  }

  const std::string name_;
  std::mutex mutex_;
  int64_t next_ = 0;
  Kept kept_;
};

/// The map of a node, named by its shared name or by the node itself.
class MapOfNode {
 public:
  explicit MapOfNode(KernelInit& init, ResourceName::Unnamed unnamed) : where_(init, unnamed) {}

  Result<RefPtr<SparseTensorsMap>> map(const KernelContext& ctx) const {
    const auto make = [this]() -> Result<RefPtr<Resource>> {
      return RefPtr<Resource>(make_ref<SparseTensorsMap>(where_.name));
    };
    TINYTF_ASSIGN_OR_RETURN(
        RefPtr<Resource> found,
        ctx.step().resources->find_or_create(where_.container, SparseTensorsMap::kRegistryType, where_.name, make));
    return RefPtr<SparseTensorsMap>::share(static_cast<SparseTensorsMap*>(found.get()));
  }

 private:
  const ResourceName where_;
};

class AddSparseKernel final : public Kernel {
 public:
  explicit AddSparseKernel(KernelInit& init) : node_(init, ResourceName::Unnamed::kNodeName) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(SparseValue sparse, read_sparse(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(sparse.indices, kept_value(ctx, sparse.indices));
    TINYTF_ASSIGN_OR_RETURN(sparse.values, kept_value(ctx, sparse.values));
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<SparseTensorsMap> map, node_.map(ctx));
    TINYTF_ASSIGN_OR_RETURN(Tensor * handle, ctx.allocate_output(0, Shape()));
    std::deque<SparseValue> one;
    one.push_back(std::move(sparse));
    *handle->data<int64_t>() = map->add(std::move(one));
    return Status();
  }

 private:
  const MapOfNode node_;
};

class AddManySparseKernel final : public Kernel {
 public:
  explicit AddManySparseKernel(KernelInit& init) : node_(init, ResourceName::Unnamed::kNodeName) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_sparse_ranks(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_splittable(ctx.input(2)));
    TINYTF_ASSIGN_OR_RETURN(const SparseValue sparse, read_sparse(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * handles, ctx.allocate_output(0, Shape({sparse.shape[0]})));
    TINYTF_ASSIGN_OR_RETURN(std::deque<SparseValue> rows, split_rows(ctx, sparse));
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<SparseTensorsMap> map, node_.map(ctx));
    auto* const numbers = handles->data<int64_t>();
    std::iota(numbers, numbers + handles->num_elements(), map->add(std::move(rows)));
    return Status();
  }

 private:
  const MapOfNode node_;
};

class TakeManySparseKernel final : public Kernel {
 public:
  explicit TakeManySparseKernel(KernelInit& init)
      : node_(init, ResourceName::Unnamed::kPrivate), dtype_(init.attr<DType>("dtype")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& handles = ctx.input(0);
    if (handles.rank() != 1) {
      return invalid_argument("sparse_handles should be a vector but received shape ", handles.shape().to_string());
    }
    if (handles.dim(0) == 0) {
      return invalid_argument("Must have at least 1 serialized SparseTensor, but input matrix has 0 rows");
    }
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<SparseTensorsMap> map, node_.map(ctx));
    const std::vector<int64_t> numbers(handles.data<int64_t>(), handles.data<int64_t>() + handles.dim(0));
    return map->take(numbers, dtype_, [&ctx](const std::vector<SparseValue>& rows) -> Status {
      TINYTF_ASSIGN_OR_RETURN(SparseValue joined, joined_rows(ctx, rows));
      return set_sparse_outputs(ctx, std::move(joined));
    });
  }

 private:
  const MapOfNode node_;
  const DType dtype_;
};

Status add_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_sparse_inputs(c));
  return shapes::scalar(c);
}

Status add_many_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_sparse_inputs(c));
  c.set_output(0, PartialShape({kUnknownDim}));
  return Status();
}

Status take_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  return sparse_outputs(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_sparse_tensors_map) {
  using namespace tinytf::ops;
  using tinytf::Trait;
  for (const bool many : {false, true}) {
    const char* name = many ? "AddManySparseToTensorsMap" : "AddSparseToTensorsMap";
    ops.op(name)
        .input("sparse_indices: int64")
        .input("sparse_values: T")
        .input("sparse_shape: int64")
        .output(many ? "sparse_handles: int64" : "sparse_handle: int64")
        .attr("T: type")
        .attr("container: string = ''")
        .attr("shared_name: string = ''")
        .stateful()
        .trait(Trait::kWritesExternalState)
        .shape(many ? add_many_shape : add_shape)
        .no_gradient()
        .doc(many ? "Keeps the rows of a SparseTensor, whose elements must be sorted, in the session and returns the "
                    "numbers under which they are kept."
                  : "Keeps a SparseTensor in the session and returns the number under which it is kept.");
    if (many) {
      kernels.add<AddManySparseKernel>(name);
    } else {
      kernels.add<AddSparseKernel>(name);
    }
  }

  ops.op("TakeManySparseFromTensorsMap")
      .input("sparse_handles: int64")
      .output("sparse_indices: int64")
      .output("sparse_values: dtype")
      .output("sparse_shape: int64")
      .attr("dtype: type")
      .attr("container: string = ''")
      .attr("shared_name: string = ''")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(take_shape)
      .no_gradient()
      .doc(
          "Takes the SparseTensors with the numbers `sparse_handles` out of the map and stacks them along a new first "
          "dimension. Each other size is the largest one among them.");
  kernels.add<TakeManySparseKernel>("TakeManySparseFromTensorsMap");
}
