#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "op/registration.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

/// A tensor viewed as slices of `n` elements each, for hashing and comparison. Zeros compare equal whatever their sign;
/// a NaN is equal to nothing.
class Slices {
  /// Calls f(values, values per slice); types that compare by their bytes are passed as bytes.
  template <class F>
  auto visit(const F& f) const {
    const auto values = [&](auto* type, int64_t n) { return f(static_cast<decltype(type)>(tensor_.raw()), n); };
    switch (tensor_.dtype()) {
      case DType::kFloat: return values(static_cast<const float*>(nullptr), n_);
      case DType::kDouble: return values(static_cast<const double*>(nullptr), n_);
      case DType::kHalf: return values(static_cast<const Half*>(nullptr), n_);
      case DType::kBfloat16: return values(static_cast<const BFloat16*>(nullptr), n_);
      case DType::kString: return values(static_cast<const std::string*>(nullptr), n_);
      case DType::kInt32:
      case DType::kUint32: return values(static_cast<const uint32_t*>(nullptr), n_);
      case DType::kInt64:
      case DType::kUint64: return values(static_cast<const uint64_t*>(nullptr), n_);
      default: break;
    }
    return values(static_cast<const uint8_t*>(nullptr), n_ * static_cast<int64_t>(dtype_size(tensor_.dtype())));
  }

 public:
  Slices(const Tensor& tensor, int64_t n) : tensor_(tensor), n_(n) {}

  /// Equal slices have equal hashes. NaNs hash by their position, so that they do not collide.
  uint64_t hash(int64_t i) const {
    return visit([&](const auto* values, int64_t n) {
      uint64_t hash = static_cast<uint64_t>(n);
      for (int64_t k = i * n; k < (i + 1) * n; ++k) hash = mixed(hash ^ hash_of(values[k], k));
      return hash;
    });
  }
  /// Whether slice i is equal to slice j of `others`, which has the same dtype and slice size.
  bool equal(int64_t i, const Slices& others, int64_t j) const {
    return visit([&](const auto* values, int64_t n) {
      const auto* first = values + i * n;
      const auto* second = static_cast<decltype(first)>(others.tensor_.raw()) + j * n;
      for (int64_t k = 0; k < n; ++k) {
        if (!same(first[k], second[k])) return false;
      }
      return true;
    });
  }

 private:
  static uint64_t mixed(uint64_t x) {
    x = (x ^ x >> 32) * 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
    return x ^ x >> 32;
  }
  template <class T>
  static uint64_t hash_of(const T& value, [[maybe_unused]] int64_t at) {
    if constexpr (std::is_same_v<T, std::string>) {
      return std::hash<std::string>()(value);
    } else if constexpr (std::is_integral_v<T>) {
      return value;
    } else {
      const auto number = static_cast<double>(wide(value));
      if (number != number) return ~static_cast<uint64_t>(at);
      return std::hash<double>()(number == 0 ? 0.0 : number);
    }
  }
  template <class T>
  static bool same(const T& a, const T& b) {
    return wide(a) == wide(b);
  }
  template <class T>
  static const T& wide(const T& value) {
    return value;
  }
  static float wide(Half value) { return static_cast<float>(value); }
  static float wide(BFloat16 value) { return static_cast<float>(value); }

  const Tensor& tensor_;
  const int64_t n_;
};

/// Numbers the distinct slices in order of first appearance, in a hash table with open addressing.
class Numbering {
 public:
  Numbering(KernelContext& ctx, const Slices& slices) : ctx_(ctx), slices_(slices) {}

  /// Makes room for at least `n` numbers.
  Status reserve(int64_t n) {
    int64_t size = 16;
    while (size < 2 * n) size *= 2;
    TINYTF_ASSIGN_OR_RETURN(table_, ctx_.allocate(DType::kInt64, Shape({size})));
    mask_ = static_cast<uint64_t>(size - 1);
    ctx_.parallel().run(size, 4096, kFillCost, [&](int64_t begin, int64_t end) {
      std::fill(table_.data<int64_t>() + begin, table_.data<int64_t>() + end, kFree);
    });
    ctx_.parallel().run_in_order(count(), kNumberCost, [&](int64_t number, int64_t end) {
      for (; number < end; ++number) *place_of(first_[number]) = number;
    });
    return Status();
  }
  bool is_full() const { return 2 * static_cast<uint64_t>(count()) > mask_; }

  /// The number of slice i; a new one if no equal slice has a number. Requires !is_full().
  int64_t number(int64_t i) {
    int64_t* const place = place_of(i);
    if (*place == kFree) {
      *place = count();
      first_.push_back(i);
    }
    return *place;
  }
  /// Whether slice i of `others` is equal to a numbered slice.
  bool has(const Slices& others, int64_t i) const { return table_.data<int64_t>()[find(others, i)] != kFree; }

  int64_t count() const { return static_cast<int64_t>(first_.size()); }
  /// The first slice with number u.
  int64_t first(int64_t u) const { return first_[static_cast<size_t>(u)]; }

  static constexpr double kNumberCost = 20;  // nanoseconds

 private:
  static constexpr double kFillCost = 0.5;
  static constexpr int64_t kFree = -1;

  int64_t* place_of(int64_t i) { return table_.data<int64_t>() + find(slices_, i); }
  /// The table entry of the slice equal to slice i of `others`, or the free entry where it would be inserted.
  uint64_t find(const Slices& others, int64_t i) const {
    const auto* const table = table_.data<int64_t>();
    uint64_t at = others.hash(i) & mask_;
    while (table[at] != kFree && !others.equal(i, slices_, first(table[at]))) at = (at + 1) & mask_;
    return at;
  }

  KernelContext& ctx_;
  const Slices& slices_;
  Tensor table_;  // hash table of numbers; its size is a power of two
  uint64_t mask_ = 0;
  std::vector<int64_t> first_;
};

/// Numbers slices 0 to n - 1 and calls use(i, number) for each.
template <class Use>
Status number_all(KernelContext& ctx, int64_t n, Numbering& numbering, Use use) {
  TINYTF_RETURN_IF_ERROR(numbering.reserve(std::min<int64_t>(n, 64)));
  Status status;
  ctx.parallel().run_in_order(n, Numbering::kNumberCost, [&](int64_t i, int64_t end) {
    for (; status.ok() && i < end; ++i) {
      if (numbering.is_full()) status = numbering.reserve(4 * numbering.count());
      if (status.ok()) use(i, numbering.number(i));
    }
  });
  return status;
}

void put(Tensor& tensor, int64_t i, int64_t value) {
  if (tensor.dtype() == DType::kInt64) {
    tensor.data<int64_t>()[i] = value;
  } else {
    tensor.data<int32_t>()[i] = static_cast<int32_t>(value);
  }
}

/// Kernel of Unique and UniqueWithCounts, and of their V2 forms, which have an axis.
class UniqueKernel final : public Kernel {
 public:
  explicit UniqueKernel(KernelInit& init) : has_axis_(init.node().inputs.size() > 1) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    int axis = 0;
    if (has_axis_ && ctx.input(1).rank() != 1) return invalid_argument("axis expects a 1D vector.");
    if (has_axis_ && ctx.input(1).num_elements() == 1) {
      const int64_t given = ctx.input(1).int_at(0);
      if (given < -x.rank() || given >= x.rank()) return invalid_argument("axis has to be between [0, ", x.rank(), ")");
      axis = static_cast<int>(given < 0 ? given + x.rank() : given);
    } else if (has_axis_ && ctx.input(1).num_elements() > 1) {
      return invalid_argument("axis does not support input tensors larger than 1 elements");
    } else if (x.rank() != 1) {
      return invalid_argument("unique expects a 1D vector.");
    }
    const int64_t n = x.dim(axis), outer = x.shape().product(0, axis), inner = x.shape().product(axis + 1, x.rank());
    Tensor rows = x;  // the slices along the axis, contiguous
    if (outer != 1 && x.num_elements() > 0) {
      TINYTF_ASSIGN_OR_RETURN(rows, ctx.allocate(x.dtype(), x.shape()));
      ctx.parallel().run(outer * n, 1, row_cost(x, inner), [&](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k) {
          copy_elements(x, k * inner, rows, (k % n * outer + k / n) * inner, inner);
        }
      });
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * idx, ctx.allocate_output(1, Shape({n})));
    std::vector<int64_t> counts;
    const Slices slices(rows, outer * inner);
    Numbering numbering(ctx, slices);
    TINYTF_RETURN_IF_ERROR(number_all(ctx, n, numbering, [&](int64_t i, int64_t number) {
      if (number == static_cast<int64_t>(counts.size())) counts.push_back(0);
      ++counts[static_cast<size_t>(number)];
      put(*idx, i, number);
    }));
    const int64_t found = numbering.count();
    Shape shape = x.shape();
    shape.set_dim(axis, found);
    TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.allocate_output(0, shape));
    ctx.parallel().run(outer * found, 1, row_cost(x, inner), [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k) {
        copy_elements(x, (k / found * n + numbering.first(k % found)) * inner, *y, k * inner, inner);
      }
    });
    if (ctx.num_outputs() > 2) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * count, ctx.allocate_output(2, Shape({found})));
      for (int64_t u = 0; u < found; ++u) put(*count, u, counts[static_cast<size_t>(u)]);
    }
    return Status();
  }

 private:
  const bool has_axis_;
};

Status unique_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  c.set_output(0, PartialShape::vector(kUnknownDim));
  c.set_output(1, c.input(0));
  return Status();
}

/// As in TensorFlow, it leaves it to the kernel to reject what is no vector.
Status unique_with_counts_shape(ShapeContext& c) {
  c.set_output(0, PartialShape::vector(kUnknownDim));
  c.set_output(1, c.input(0));
  c.set_output(2, PartialShape::vector(kUnknownDim));
  return Status();
}

/// TensorFlow 1 takes `x` for a vector whatever its rank; this does so only where it is one, or has too low a rank.
Status unique_v2_shape(ShapeContext& c) {
  const PartialShape& x = c.input(0);
  if (x.known_rank() && x.rank() < 2) {
    c.set_output(0, PartialShape::vector(kUnknownDim));
    c.set_output(1, x);
    if (c.num_outputs() > 2) c.set_output(2, PartialShape::vector(kUnknownDim));
    return Status();
  }
  const Tensor* axis = c.input_tensor(1);
  int64_t length = kUnknownDim;
  if (axis != nullptr && x.known_rank() && axis->num_elements() <= 1) {
    const int64_t given = axis->num_elements() == 0 ? 0 : axis->int_at(0);
    const Result<int> d = shapes::canonical_axis(given, x.rank());
    if (d.ok()) {  // The kernel rejects other axes.
      length = x.dim(d.value());
      PartialShape y = x;
      y.set_dim(d.value(), kUnknownDim);
      c.set_output(0, std::move(y));
    }
  }
  c.set_output(1, PartialShape::vector(length));
  if (c.num_outputs() > 2) c.set_output(2, PartialShape::vector(kUnknownDim));
  return Status();
}

class ListDiffKernel final : public Kernel {
 public:
  explicit ListDiffKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    if (x.rank() != 1) return invalid_argument("x should be a 1D vector.");
    if (y.rank() != 1) return invalid_argument("y should be a 1D vector.");
    const Slices ours(x, 1), theirs(y, 1);
    Numbering excluded(ctx, theirs);
    TINYTF_RETURN_IF_ERROR(number_all(ctx, y.dim(0), excluded, [](int64_t, int64_t) {}));
    std::vector<int64_t> kept;
    ctx.parallel().run_in_order(x.dim(0), Numbering::kNumberCost, [&](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        if (!excluded.has(ours, i)) kept.push_back(i);
      }
    });
    const Shape shape({static_cast<int64_t>(kept.size())});
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    TINYTF_ASSIGN_OR_RETURN(Tensor * idx, ctx.allocate_output(1, shape));
    ctx.parallel().run(shape.dim(0), 1, row_cost(x, 1), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        copy_elements(x, kept[static_cast<size_t>(i)], *out, i, 1);
        put(*idx, i, kept[static_cast<size_t>(i)]);
      }
    });
    return Status();
  }
};

Status list_diff_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  c.set_output(0, PartialShape::vector(kUnknownDim));
  c.set_output(1, PartialShape::vector(kUnknownDim));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_unique) {
  using namespace tinytf::ops;
  ops.op("Unique")
      .input("x: T")
      .output("y: T")
      .output("idx: out_idx")
      .attr("T: type")
      .attr("out_idx: {int32, int64} = DT_INT32")
      .shape(unique_shape)
      .no_gradient()
      .doc(
          "Finds the distinct values `y` of the vector `x`, in order of first appearance, and for each element of `x` "
          "the index `idx` of its value in `y`.");
  kernels.add<UniqueKernel>("Unique");

  ops.op("UniqueWithCounts")
      .input("x: T")
      .output("y: T")
      .output("idx: out_idx")
      .output("count: out_idx")
      .attr("T: type")
      .attr("out_idx: {int32, int64} = DT_INT32")
      .shape(unique_with_counts_shape)
      .no_gradient()
      .doc(
          "Finds the distinct values `y` of the vector `x` and the indices `idx` as Unique does, and the number of "
          "occurrences `count` of each value.");
  kernels.add<UniqueKernel>("UniqueWithCounts");

  ops.op("UniqueV2")
      .input("x: T")
      .input("axis: Taxis")
      .output("y: T")
      .output("idx: out_idx")
      .attr("T: type")
      .attr("Taxis: {int32, int64} = DT_INT64")
      .attr("out_idx: {int32, int64} = DT_INT32")
      .shape(unique_v2_shape)
      .no_gradient()
      .doc(
          "Finds the distinct slices `y` of `x` along `axis`, in order of first appearance, and for each slice its "
          "index `idx` in `y`. `axis` is a vector; if it is empty, `x` must be a vector.");
  kernels.add<UniqueKernel>("UniqueV2");

  ops.op("UniqueWithCountsV2")
      .input("x: T")
      .input("axis: Taxis")
      .output("y: T")
      .output("idx: out_idx")
      .output("count: out_idx")
      .attr("T: type")
      .attr("Taxis: {int32, int64} = DT_INT64")
      .attr("out_idx: {int32, int64} = DT_INT32")
      .shape(unique_v2_shape)
      .no_gradient()
      .doc(
          "Finds the distinct slices `y` and the indices `idx` as UniqueV2 does, and the number of occurrences `count` "
          "of each slice.");
  kernels.add<UniqueKernel>("UniqueWithCountsV2");

  ops.op("ListDiff")
      .input("x: T")
      .input("y: T")
      .output("out: T")
      .output("idx: out_idx")
      .attr("T: type")
      .attr("out_idx: {int32, int64} = DT_INT32")
      .shape(list_diff_shape)
      .no_gradient()
      .doc(
          "Returns the elements of the vector `x` that do not occur in the vector `y`, in order, as `out`, and their "
          "indices in `x` as `idx`.");
  kernels.add<ListDiffKernel>("ListDiff");
}
