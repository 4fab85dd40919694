#include <algorithm>
#include <iterator>
#include <optional>

#include "op/registration.h"
#include "ops/object_cost.h"
#include "ops/sparse/shared/set_groups.h"

namespace tinytf::ops {
namespace {

enum class SetOperation : uint8_t { kUnion, kIntersection, kAMinusB, kBMinusA };

std::optional<SetOperation> set_operation(std::string name) {
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name == "union") return SetOperation::kUnion;
  if (name == "intersection") return SetOperation::kIntersection;
  if (name == "a-b") return SetOperation::kAMinusB;
  if (name == "b-a") return SetOperation::kBMinusA;
  return std::nullopt;
}

/// Kernel of the three ops on two operands, of which the first `dense` are dense tensors.
template <class T, int dense>
class SetOperationKernel final : public Kernel {
  using Groups = SetGroups<T>;
  using Element = typename Groups::Element;

 public:
  explicit SetOperationKernel(KernelInit& init) {
    const auto name = init.attr<std::string>("set_operation");
    if (const auto found = set_operation(name)) {
      operation_ = *found;
    } else {
      init.fail(invalid_argument("Invalid set_operation ", name, "."));
    }
  }

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Groups a, operand(ctx, 0, dense > 0));
    TINYTF_ASSIGN_OR_RETURN(Groups b, operand(ctx, dense > 0 ? 1 : 3, dense > 1));
    if (a.shape() != b.shape()) {
      return invalid_argument("Mismatched shapes ", a.shape().to_string(), " vs ", b.shape().to_string());
    }
    Found found;
    std::vector<Element> x, y;
    const Size steps = Size(a.count()) + b.count();
    ctx.parallel().run_in_order(steps.ok() ? steps.value() : 0, a.cost() + b.cost(), [&](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        const int64_t group = std::min(a.group(), b.group());
        if (group == Groups::kEnd) return;
        x.clear();
        y.clear();
        if (a.group() == group) a.take(x);
        if (b.group() == group) b.take(y);
        found.add(group, operation_, x, y);
      }
    });
    return put(ctx, a.shape(), found);
  }

 private:
  /// The resulting sets of all groups, concatenated.
  struct Found {
    std::vector<Element> values;
    std::vector<std::pair<int64_t, int64_t>> sets;  // for each set its group and number of values
    int64_t largest = 0;

    void add(int64_t group, SetOperation operation, const std::vector<Element>& x, const std::vector<Element>& y) {
      const size_t before = values.size();
      const auto to = std::back_inserter(values);
      switch (operation) {
        case SetOperation::kUnion: std::set_union(x.begin(), x.end(), y.begin(), y.end(), to); break;
        case SetOperation::kIntersection: std::set_intersection(x.begin(), x.end(), y.begin(), y.end(), to); break;
        case SetOperation::kAMinusB: std::set_difference(x.begin(), x.end(), y.begin(), y.end(), to); break;
        case SetOperation::kBMinusA: std::set_difference(y.begin(), y.end(), x.begin(), x.end(), to); break;
      }
      const auto size = static_cast<int64_t>(values.size() - before);
      if (size > 0) sets.emplace_back(group, size);
      largest = std::max(largest, size);
    }
  };

  static Result<Groups> operand(KernelContext& ctx, int first, bool is_dense) {
    if (is_dense) return Groups::dense(ctx.input(first));
    return Groups::sparse(ctx, ctx.input(first), ctx.input(first + 1), ctx.input(first + 2));
  }

  static Status put(KernelContext& ctx, const Shape& groups, const Found& found) {
    const auto n = static_cast<int64_t>(found.values.size());
    const int64_t rank = groups.rank() + 1;
    TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(0, Shape({n, rank})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * values, ctx.allocate_output(1, Shape({n})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * shape, ctx.allocate_output(2, Shape({rank})));
    for (int d = 0; d < groups.rank(); ++d) shape->data<int64_t>()[d] = groups.dim(d);
    shape->data<int64_t>()[rank - 1] = found.largest;
    auto* index = indices->data<int64_t>();
    auto* value = values->data<T>();
    auto from = found.values.begin();
    const double size = static_cast<double>(n) / static_cast<double>(std::max<size_t>(found.sets.size(), 1));
    ctx.parallel().run_in_order(static_cast<int64_t>(found.sets.size()), size * (row_cost(*values, 1)),
                                [&](int64_t s, int64_t end) {
                                  for (; s < end; ++s) {
                                    const auto [group, count] = found.sets[static_cast<size_t>(s)];
                                    for (int64_t k = 0; k < count; ++k, index += rank) {
                                      unflatten(groups, group, index);
                                      index[rank - 1] = k;
                                      *value++ = T(*from++);
                                    }
                                  }
                                });
    return Status();
  }

  static void unflatten(const Shape& groups, int64_t group, int64_t* index) {
    for (int d = groups.rank() - 1; d >= 0; --d) {
      index[d] = group % groups.dim(d);
      group /= groups.dim(d);
    }
  }

  SetOperation operation_ = SetOperation::kUnion;
};

template <class T>
class SetSizeKernel final : public Kernel {
 public:
  explicit SetSizeKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(auto sets, SetGroups<T>::sparse(ctx, ctx.input(0), ctx.input(1), ctx.input(2)));
    TINYTF_ASSIGN_OR_RETURN(Tensor * sizes, ctx.allocate_output(0, sets.shape()));
    auto* const size = sizes->data<int32_t>();
    ctx.parallel().run(sizes->num_elements(), 4096, 0.5,
                       [&](int64_t begin, int64_t end) { std::fill(size + begin, size + end, 0); });
    std::vector<typename SetGroups<T>::Element> set;
    ctx.parallel().run_in_order(sets.count(), sets.cost(), [&](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        const int64_t group = sets.group();
        sets.take(set);
        size[group] = static_cast<int32_t>(set.size());
      }
    });
    return Status();
  }
};

/// Shape function: outputs 0 to 2 are a SparseTensor with `rank` dimensions.
Status set_sparse_outputs(ShapeContext& c, int64_t rank) {
  c.set_output(0, PartialShape::matrix(kUnknownDim, rank));
  c.set_output(1, PartialShape::vector(kUnknownDim));
  c.set_output(2, PartialShape::vector(rank));
  return Status();
}

Status dense_to_dense_shape(ShapeContext& c) {
  const PartialShape &a = c.input(0), &b = c.input(1);
  if (!a.known_rank()) {
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 2));
    return set_sparse_outputs(c, b.rank());
  }
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, a.rank()));
  if (b.known_rank()) TINYTF_RETURN_IF_ERROR(a.slice(0, -1).merge(b.slice(0, -1)).status());
  return set_sparse_outputs(c, a.rank());
}

Status dense_to_sparse_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const SparseParts parts, inferred_sparse_parts(c, 1));
  if (!c.input(0).known_rank()) return set_sparse_outputs(c, parts.rank);
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  // As in TensorFlow, the kernel rejects indices of another rank if the dense shape is unknown.
  const int64_t rank = c.input(0).rank(), other = c.input(3).dim(0);
  if (!merge_dims(other, rank).ok()) return invalid_argument("Dimension must be ", rank, " but is ", other);
  return set_sparse_outputs(c, rank);
}

Status sparse_to_sparse_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const SparseParts a, inferred_sparse_parts(c, 0));
  TINYTF_ASSIGN_OR_RETURN(const SparseParts b, inferred_sparse_parts(c, 3));
  TINYTF_ASSIGN_OR_RETURN(const int64_t rank, merge_dims(a.rank, b.rank));
  return set_sparse_outputs(c, rank);
}

template <class T>
using DenseToDense = SetOperationKernel<T, 2>;
template <class T>
using DenseToSparse = SetOperationKernel<T, 1>;
template <class T>
using SparseToSparse = SetOperationKernel<T, 0>;

template <template <class> class K>
void add_kernels(KernelRegistry& kernels, const char* op) {
  kernels.add_typed<K, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(op, "T");
  kernels.add<K<std::string>>(op).where("T", {DType::kString});
}

constexpr const char* kElements = "T: {int8, int16, int32, int64, uint8, uint16, string}";
constexpr const char* kDoc =
    " `set_operation` is \"union\", \"intersection\", \"a-b\" or \"b-a\". The result is a SparseTensor in which the "
    "elements of each set are sorted along the last dimension, whose size is that of the largest set. The indices of "
    "sparse operands must be sorted, even if `validate_indices` is false.";

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_sets) {
  using namespace tinytf::ops;
  ops.op("SetSize")
      .input("set_indices: int64")
      .input("set_values: T")
      .input("set_shape: int64")
      .output("size: int32")
      .attr("validate_indices: bool = true")
      .attr(kElements)
      .shape(tinytf::shapes::unknown)
      .not_differentiable()
      .doc(
          "Counts the distinct elements of each set along the last dimension of a SparseTensor. The set is given by "
          "`set_indices`, `set_values` and `set_shape`.");
  add_kernels<SetSizeKernel>(kernels, "SetSize");

  ops.op("DenseToDenseSetOperation")
      .input("set1: T")
      .input("set2: T")
      .output("result_indices: int64")
      .output("result_values: T")
      .output("result_shape: int64")
      .attr("set_operation: string")
      .attr("validate_indices: bool = true")
      .attr(kElements)
      .shape(dense_to_dense_shape)
      .not_differentiable()
      .doc(tinytf::str_cat("Computes a set operation on the sets along the last dimensions of two tensors.", kDoc));
  add_kernels<DenseToDense>(kernels, "DenseToDenseSetOperation");

  ops.op("DenseToSparseSetOperation")
      .input("set1: T")
      .input("set2_indices: int64")
      .input("set2_values: T")
      .input("set2_shape: int64")
      .output("result_indices: int64")
      .output("result_values: T")
      .output("result_shape: int64")
      .attr("set_operation: string")
      .attr("validate_indices: bool = true")
      .attr(kElements)
      .shape(dense_to_sparse_shape)
      .not_differentiable()
      .doc(tinytf::str_cat(
          "Computes a set operation on the sets along the last dimensions of a tensor and a SparseTensor.", kDoc));
  add_kernels<DenseToSparse>(kernels, "DenseToSparseSetOperation");

  ops.op("SparseToSparseSetOperation")
      .input("set1_indices: int64")
      .input("set1_values: T")
      .input("set1_shape: int64")
      .input("set2_indices: int64")
      .input("set2_values: T")
      .input("set2_shape: int64")
      .output("result_indices: int64")
      .output("result_values: T")
      .output("result_shape: int64")
      .attr("set_operation: string")
      .attr("validate_indices: bool = true")
      .attr(kElements)
      .shape(sparse_to_sparse_shape)
      .not_differentiable()
      .doc(tinytf::str_cat("Computes a set operation on the sets along the last dimensions of two SparseTensors.",
                           kDoc));
  add_kernels<SparseToSparse>(kernels, "SparseToSparseSetOperation");
}
