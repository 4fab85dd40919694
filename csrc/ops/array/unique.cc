#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "op/registration.h"
#include "ops/array/concat_pieces.h"

namespace tinytf::ops {
namespace {

/// The bytes (or the text) of elements [i * n, i * n + n), as something to compare by. Zeros compare by value, not by
/// sign; NaNs are never equal, so each gets a key of its own from `serial`.
class Keys {
 public:
  Keys(const Tensor& tensor, int64_t n) : tensor_(tensor), n_(n) {}

  std::string key(int64_t i, int64_t serial) const {
    std::string key;
    for (int64_t k = i * n_; k < (i + 1) * n_; ++k) append(k, serial, &key);
    return key;
  }

 private:
  template <class Float>
  static void append_float(Float value, int64_t serial, std::string* key) {
    if (value != value) {
      key->append("n").append(reinterpret_cast<const char*>(&serial), sizeof serial);
    } else {
      const Float positive_zero = value == Float(0) ? Float(0) : value;
      key->append("v").append(reinterpret_cast<const char*>(&positive_zero), sizeof positive_zero);
    }
  }
  void append(int64_t k, int64_t serial, std::string* key) const {
    switch (tensor_.dtype()) {
      case DType::kFloat: return append_float(tensor_.data<float>()[k], serial, key);
      case DType::kDouble: return append_float(tensor_.data<double>()[k], serial, key);
      case DType::kHalf: return append_float(static_cast<float>(tensor_.data<Half>()[k]), serial, key);
      case DType::kBfloat16: return append_float(static_cast<float>(tensor_.data<BFloat16>()[k]), serial, key);
      case DType::kString: {
        const std::string& text = tensor_.data<std::string>()[k];
        const size_t size = text.size();
        key->append(reinterpret_cast<const char*>(&size), sizeof size).append(text);
        return;
      }
      default: {
        const size_t size = dtype_size(tensor_.dtype());
        key->append(tensor_.data<char>() + static_cast<size_t>(k) * size, size);
      }
    }
  }

  const Tensor& tensor_;
  const int64_t n_;
};

void put(Tensor& tensor, int64_t i, int64_t value) {
  if (tensor.dtype() == DType::kInt64) {
    tensor.data<int64_t>()[i] = value;
  } else {
    tensor.data<int32_t>()[i] = static_cast<int32_t>(value);
  }
}

/// Numbers equal keys alike, in order of appearance: `first` lists where each number appears first.
template <class KeyOf>
void number_keys(int64_t n, KeyOf key_of, Tensor& idx, std::vector<int64_t>* first, std::vector<int64_t>* counts) {
  std::unordered_map<std::decay_t<decltype(key_of(0))>, int64_t> seen;
  seen.reserve(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) {
    const auto [found, added] = seen.emplace(key_of(i), static_cast<int64_t>(first->size()));
    if (added) {
      first->push_back(i);
      counts->push_back(0);
    }
    ++(*counts)[static_cast<size_t>(found->second)];
    put(idx, i, found->second);
  }
}

/// Unique and UniqueWithCounts, and with an axis their V2 forms.
class UniqueKernel final : public Kernel {
 public:
  explicit UniqueKernel(KernelInit& init) : has_axis_(init.node().inputs.size() > 1) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    int axis = 0;
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
    Tensor rows = x;  // the slices along the axis, one after another
    if (outer != 1 && x.num_elements() > 0) {
      TINYTF_ASSIGN_OR_RETURN(rows, ctx.allocate(x.dtype(), x.shape()));
      for (int64_t o = 0; o < outer; ++o) {
        for (int64_t i = 0; i < n; ++i) copy_elements(x, (o * n + i) * inner, rows, (i * outer + o) * inner, inner);
      }
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * idx, ctx.allocate_output(1, Shape({n})));
    std::vector<int64_t> first, counts;
    if (outer * inner == 1 && x.dtype() == DType::kInt32) {
      number_keys(n, [data = x.data<int32_t>()](int64_t i) { return data[i]; }, *idx, &first, &counts);
    } else if (outer * inner == 1 && x.dtype() == DType::kInt64) {
      number_keys(n, [data = x.data<int64_t>()](int64_t i) { return data[i]; }, *idx, &first, &counts);
    } else {
      const Keys keys(rows, outer * inner);
      number_keys(n, [&](int64_t i) { return keys.key(i, i); }, *idx, &first, &counts);
    }
    const auto found = static_cast<int64_t>(first.size());
    Shape shape = x.shape();
    shape.set_dim(axis, found);
    TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.allocate_output(0, shape));
    for (int64_t o = 0; y->num_elements() > 0 && o < outer; ++o) {
      for (int64_t u = 0; u < found; ++u) {
        copy_elements(x, (o * n + first[static_cast<size_t>(u)]) * inner, *y, (o * found + u) * inner, inner);
      }
    }
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
  c.set_output(1, PartialShape::vector(c.input(0).known_rank() ? c.input(0).dim(0) : kUnknownDim));
  if (c.num_outputs() > 2) c.set_output(2, PartialShape::vector(kUnknownDim));
  return Status();
}

Status unique_v2_shape(ShapeContext& c) {
  const PartialShape& x = c.input(0);
  const Tensor* axis = c.input_tensor(1);
  int64_t length = kUnknownDim;
  if (axis != nullptr && x.known_rank() && axis->num_elements() <= 1) {
    const int64_t given = axis->num_elements() == 0 ? 0 : axis->int_at(0);
    TINYTF_ASSIGN_OR_RETURN(const int d, shapes::canonical_axis(given, x.rank()));
    length = x.dim(d);
    PartialShape y = x;
    y.set_dim(d, kUnknownDim);
    c.set_output(0, std::move(y));
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
    const Keys x_keys(x, 1), y_keys(y, 1);
    std::unordered_set<std::string> excluded;
    for (int64_t i = 0; i < y.dim(0); ++i) excluded.insert(y_keys.key(i, -1 - i));
    std::vector<int64_t> kept;
    for (int64_t i = 0; i < x.dim(0); ++i) {
      if (excluded.count(x_keys.key(i, i)) == 0) kept.push_back(i);
    }
    const Shape shape({static_cast<int64_t>(kept.size())});
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    TINYTF_ASSIGN_OR_RETURN(Tensor * idx, ctx.allocate_output(1, shape));
    for (size_t i = 0; i < kept.size(); ++i) {
      copy_elements(x, kept[i], *out, static_cast<int64_t>(i), 1);
      put(*idx, static_cast<int64_t>(i), kept[i]);
    }
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
      .doc("The distinct values of the vector `x` in order of appearance, and for each element its place among them.");
  kernels.add<UniqueKernel>("Unique");

  ops.op("UniqueWithCounts")
      .input("x: T")
      .output("y: T")
      .output("idx: out_idx")
      .output("count: out_idx")
      .attr("T: type")
      .attr("out_idx: {int32, int64} = DT_INT32")
      .shape(unique_shape)
      .no_gradient()
      .doc("Unique, and how often each value occurs.");
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
      .doc("The distinct slices of `x` along `axis` (a vector of at most one element) in order of appearance.");
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
      .doc("UniqueV2, and how often each slice occurs.");
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
      .doc("The elements of the vector `x` that `y` does not hold, in order, and where they stand in `x`.");
  kernels.add<ListDiffKernel>("ListDiff");
}
