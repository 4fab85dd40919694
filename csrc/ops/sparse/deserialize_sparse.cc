#include "op/registration.h"
#include "ops/parsing/shared/filled_tensor.h"
#include "ops/sparse/shared/sparse_shapes.h"
#include "ops/sparse/shared/sparse_value.h"
#include "ops/tensor_value.h"

namespace tinytf::ops {
namespace {

/// Parses a TensorProto.
Result<Tensor> read_message(const KernelContext& ctx, const std::string& bytes) {
  WireReader fields(bytes);
  while (fields.next()) {
  }
  if (!fields.ok()) return invalid_argument("Could not parse serialized proto");
  const Result<TensorElements> found = read_tensor_elements(bytes);
  if (!found.ok()) {
    if (found.status().code() == Code::kResourceExhausted) return found.status();
    return invalid_argument("Could not construct tensor from proto");
  }
  return filled_tensor(ctx, found.value());
}

/// The parts of one SparseTensor, with its shape as a tensor.
struct Parts {
  Tensor indices, values, shape;
};

Status check_indices(const Parts& parts, int64_t i) {
  if (parts.indices.rank() == 2) return Status();
  return invalid_argument("Expected serialized_sparse[", i, ", 0] to represent an index matrix but received shape ",
                          parts.indices.shape().to_string());
}

Status check_values(const Parts& parts, int64_t i, DType dtype) {
  if (parts.values.rank() != 1) {
    return invalid_argument("Expected serialized_sparse[", i, ", 1] to represent a values vector but received shape ",
                            parts.values.shape().to_string());
  }
  if (parts.values.dtype() != dtype) {
    return invalid_argument("Requested SparseTensor of type ", dtype_name(dtype), " but SparseTensor[", i,
                            "].values.dtype() == ", dtype_name(parts.values.dtype()));
  }
  if (parts.indices.dim(0) == parts.values.dim(0)) return Status();
  return invalid_argument("Expected row counts of SparseTensor[", i, "].indices and SparseTensor[", i,
                          "].values to match but they do not: ", parts.indices.dim(0), " vs. ", parts.values.dim(0));
}

/// `place` is the position of the shape in TensorFlow's message.
Status check_shape(const Parts& parts, int64_t i, int place) {
  if (parts.shape.rank() != 1) {
    return invalid_argument("Expected serialized_sparse[", i, ", ", place, "] to be a shape vector but its shape is ",
                            parts.shape.shape().to_string());
  }
  if (parts.indices.dim(1) == parts.shape.dim(0)) return Status();
  return invalid_argument("Expected column counts of SparseTensor[", i, "].indices to match size of SparseTensor[", i,
                          "].shape but they do not: ", parts.indices.dim(1), " vs. ", parts.shape.dim(0));
}

/// Reads the SparseTensor number `i` from three messages.
Result<Parts> read_parts(const KernelContext& ctx, const std::string* messages, int64_t i, DType dtype) {
  Parts parts;
  TINYTF_ASSIGN_OR_RETURN(parts.indices, read_message(ctx, messages[0]));
  TINYTF_RETURN_IF_ERROR(check_indices(parts, i));
  TINYTF_ASSIGN_OR_RETURN(parts.values, read_message(ctx, messages[1]));
  TINYTF_RETURN_IF_ERROR(check_values(parts, i, dtype));
  TINYTF_ASSIGN_OR_RETURN(parts.shape, read_message(ctx, messages[2]));
  TINYTF_RETURN_IF_ERROR(check_shape(parts, i, 1));
  if (parts.indices.dtype() != DType::kInt64 || parts.shape.dtype() != DType::kInt64) {
    return invalid_argument("Expected indices and shape of SparseTensor[", i, "] to be int64, got ",
                            dtype_name(parts.indices.dtype()), " and ", dtype_name(parts.shape.dtype()));
  }
  return parts;
}

/// Reads the SparseTensor number `i` from three variants, sharing the memory of their tensors.
Result<Parts> read_parts(const KernelContext& /*ctx*/, const Variant* elements, int64_t i, DType dtype) {
  Parts parts;
  Tensor* const all[] = {&parts.indices, &parts.values, &parts.shape};
  for (int part = 2; part >= 0; --part) {
    const auto* held = elements[part].get<TensorValue>();
    if (held == nullptr) {
      return invalid_argument("Could not get a tensor from serialized_sparse[", i, ", ", part, "]");
    }
    *all[part] = held->tensor();
  }
  if (parts.indices.dtype() != DType::kInt64) {
    return invalid_argument("Expected serialized_sparse[", i, ", 0] to be a matrix of DT_INT64 but received dtype ",
                            dtype_name(parts.indices.dtype()));
  }
  TINYTF_RETURN_IF_ERROR(check_indices(parts, i));
  TINYTF_RETURN_IF_ERROR(check_values(parts, i, dtype));
  if (parts.shape.dtype() != DType::kInt64) {
    return invalid_argument("Expected serialized_sparse[", i, ", 2] to be a vector of DT_INT64 but received dtype ",
                            dtype_name(parts.shape.dtype()));
  }
  TINYTF_RETURN_IF_ERROR(check_shape(parts, i, 2));
  return parts;
}

template <class Element>
class DeserializeSparseKernel final : public Kernel {
 public:
  explicit DeserializeSparseKernel(KernelInit& init) : dtype_(init.attr<DType>("dtype")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& serialized = ctx.input(0);
    const Shape& shape = serialized.shape();
    if (shape.rank() == 0) {
      return invalid_argument("Serialized sparse should have non-zero rank ", shape.to_string());
    }
    if (shape.dim(shape.rank() - 1) != 3) {
      return invalid_argument("Serialized sparse should have 3 as the last dimension ", shape.to_string());
    }
    if (serialized.num_elements() == 0) {
      return invalid_argument("Serialized sparse should have at least 1 serialized tensor, but has a zero dimension ",
                              shape.to_string());
    }
    const auto* elements = serialized.data<Element>();
    if (shape.rank() == 1) {
      TINYTF_ASSIGN_OR_RETURN(Parts parts, read_parts(ctx, elements, 0, dtype_));
      ctx.set_output(0, std::move(parts.indices));
      ctx.set_output(1, std::move(parts.values));
      ctx.set_output(2, std::move(parts.shape));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(const std::vector<SparseValue> rows,
                            read_rows(ctx, elements, serialized.num_elements() / 3));
    TINYTF_ASSIGN_OR_RETURN(SparseValue joined, joined_rows(ctx, rows));
    if (shape.rank() > 2) TINYTF_RETURN_IF_ERROR(unfold(ctx, shape, &joined));
    return set_sparse_outputs(ctx, std::move(joined));
  }

 private:
  Result<std::vector<SparseValue>> read_rows(const KernelContext& ctx, const Element* elements, int64_t n) const {
    std::vector<SparseValue> rows;
    rows.reserve(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i) {
      if (i % 1024 == 0 && ctx.is_over()) return Status(Code::kCancelled, "Step was cancelled");
      TINYTF_ASSIGN_OR_RETURN(Parts parts, read_parts(ctx, elements + 3 * i, i, dtype_));
      const auto* sizes = parts.shape.data<int64_t>();
      std::vector<int64_t> shape(sizes, sizes + parts.shape.dim(0));
      for (const int64_t size : shape) {
        if (size < 0) return invalid_argument("Dimension ", size, " must be >= 0");
      }
      rows.push_back({std::move(parts.indices), std::move(parts.values), std::move(shape)});
      if (rows.back().rank() == rows[0].rank()) continue;
      return invalid_argument("Inconsistent shape across SparseTensors: rank prior to SparseTensor[", i,
                              "] was: ", rows[0].rank(), " but rank of SparseTensor[", i, "] is: ", rows.back().rank());
    }
    return rows;
  }

  /// Splits the first index into several, one for each dimension of `shape` except its last.
  static Status unfold(const KernelContext& ctx, const Shape& shape, SparseValue* joined) {
    const int64_t more = shape.rank() - 2, rank = joined->rank(), n = joined->values.dim(0);
    TINYTF_ASSIGN_OR_RETURN(Tensor indices, ctx.allocate(DType::kInt64, Shape({n, rank + more})));
    for (int64_t i = 0; i < n; ++i) {
      const auto* from = joined->indices.data<int64_t>() + i * rank;
      auto* to = indices.data<int64_t>() + i * (rank + more);
      int64_t row = from[0];
      for (int64_t d = more; d >= 0; --d) {
        const int64_t size = shape.dim(static_cast<int>(d));
        to[d] = row % size;
        row /= size;
      }
      std::copy_n(from + 1, rank - 1, to + more + 1);
    }
    joined->indices = std::move(indices);
    joined->shape.erase(joined->shape.begin());
    joined->shape.insert(joined->shape.begin(), shape.dims().begin(), shape.dims().begin() + more + 1);
    return Status();
  }

  const DType dtype_;
};

Status check_last_is_three(const PartialShape& serialized) {
  const int64_t last = serialized.known_rank() ? serialized.dim(-1) : kUnknownDim;
  return last == kUnknownDim || last == 3 ? Status() : invalid_argument("Dimension must be 3 but is ", last);
}

Status any_shape(ShapeContext& c) {
  PartialShape serialized;
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 1, &serialized));
  TINYTF_RETURN_IF_ERROR(check_last_is_three(serialized));
  return sparse_outputs(c);
}

Status many_shape(ShapeContext& c) {
  PartialShape serialized;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &serialized));
  TINYTF_RETURN_IF_ERROR(check_last_is_three(serialized));
  return sparse_outputs(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_deserialize_sparse) {
  using namespace tinytf::ops;
  ops.op("DeserializeSparse")
      .input("serialized_sparse: Tserialized")
      .output("sparse_indices: int64")
      .output("sparse_values: dtype")
      .output("sparse_shape: int64")
      .attr("dtype: type")
      .attr("Tserialized: {string, variant} = string")
      .shape(any_shape)
      .no_gradient()
      .doc(
          "Deserializes SparseTensors from triples of TensorProtos or variants in the last dimension of "
          "`serialized_sparse`. A single triple gives the SparseTensor itself; several are stacked, with the other "
          "dimensions of `serialized_sparse` as leading dimensions.");
  using tinytf::DType;
  kernels.add<DeserializeSparseKernel<std::string>>("DeserializeSparse").where("Tserialized", {DType::kString});
  kernels.add<DeserializeSparseKernel<tinytf::Variant>>("DeserializeSparse").where("Tserialized", {DType::kVariant});

  ops.op("DeserializeManySparse")
      .input("serialized_sparse: string")
      .output("sparse_indices: int64")
      .output("sparse_values: dtype")
      .output("sparse_shape: int64")
      .attr("dtype: type")
      .shape(many_shape)
      .no_gradient()
      .doc(
          "Deserializes SparseTensors from the rows of `serialized_sparse`, each of which holds three TensorProtos, "
          "and stacks them along a new first dimension.");
  kernels.add<DeserializeSparseKernel<std::string>>("DeserializeManySparse");
}
