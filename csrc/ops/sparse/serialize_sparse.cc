#include "io/tensor_proto.h"
#include "op/kept_value.h"
#include "op/registration.h"
#include "op/variant_forms.h"
#include "ops/sparse/shared/sparse_shapes.h"
#include "ops/sparse/shared/sparse_value.h"
#include "ops/tensor_value.h"

namespace tinytf::ops {
namespace {

/// Writes a TensorProto whose elements are raw memory; for strings that is their lengths followed by their bytes.
Status write_message(const Tensor& part, std::string* message) {
  message->clear();
  WireWriter to(message);
  if (part.dtype() != DType::kString) return write_tensor_memory(to, part);
  constexpr uint32_t kDtype = 1, kShape = 2, kContent = 4;
  to.varint(kDtype, static_cast<uint64_t>(DType::kString));
  to.nested(kShape, [&] { write_shape(to, part.shape()); });
  if (part.num_elements() == 0) return Status();
  const auto* begin = part.data<std::string>();
  const auto* end = begin + part.num_elements();
  to.nested(kContent, [&] {
    for (const auto* text = begin; text != end; ++text) to.number(text->size());
    for (const auto* text = begin; text != end; ++text) message->append(*text);
  });
  return Status();
}

Status write_part(const KernelContext& /*ctx*/, const Tensor& part, std::string* message) {
  return write_message(part, message);
}

Status write_part(const KernelContext& ctx, const Tensor& part, Variant* element) {
  TINYTF_ASSIGN_OR_RETURN(Tensor kept, kept_value(ctx, part));
  TINYTF_ASSIGN_OR_RETURN(*element, TensorValue::of(std::move(kept)));
  return Status();
}

/// Writes three elements, messages or variants: indices, values and shape.
template <class Element>
Status write_parts(const KernelContext& ctx, const Tensor& indices, const Tensor& values, const Tensor& shape,
                   Element* elements) {
  for (const Tensor* part : {&indices, &values, &shape}) TINYTF_RETURN_IF_ERROR(write_part(ctx, *part, elements++));
  return Status();
}

template <class Element>
class SerializeSparseKernel final : public Kernel {
 public:
  explicit SerializeSparseKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_sparse_ranks(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({3})));
    return write_parts(ctx, ctx.input(0), ctx.input(1), ctx.input(2), out->data<Element>());
  }
};

template <class Element>
class SerializeManySparseKernel final : public Kernel {
 public:
  explicit SerializeManySparseKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_sparse_ranks(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_splittable(ctx.input(2)));
    TINYTF_ASSIGN_OR_RETURN(const SparseValue sparse, read_sparse(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({sparse.shape[0], 3})));
    TINYTF_ASSIGN_OR_RETURN(const std::deque<SparseValue> rows, split_rows(ctx, sparse));
    TINYTF_ASSIGN_OR_RETURN(Tensor shape, ctx.allocate(DType::kInt64, Shape({sparse.rank() - 1})));
    std::copy(sparse.shape.begin() + 1, sparse.shape.end(), shape.data<int64_t>());
    auto* elements = out->data<Element>();
    for (const SparseValue& row : rows) {
      TINYTF_RETURN_IF_ERROR(write_parts(ctx, row.indices, row.values, shape, elements));
      elements += 3;
    }
    return Status();
  }
};

Status one_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_sparse_inputs(c));
  c.set_output(0, PartialShape({3}));
  return Status();
}

Status serialize_many_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_sparse_inputs(c));
  c.set_output(0, PartialShape({kUnknownDim, 3}));
  return Status();
}

VariantForm tensor_form() {
  VariantForm form;
  form.parts = [](const VariantValue& value) {
    return VariantParts{"", {static_cast<const TensorValue&>(value).tensor()}};
  };
  form.value = [](VariantParts parts) -> Result<Variant> {
    if (parts.tensors.size() != 1) return damaged_variant();
    return TensorValue::of(std::move(parts.tensors[0]));
  };
  return form;
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_serialize_sparse) {
  using namespace tinytf::ops;
  forms.add(TensorValue::kTypeName, tensor_form());
  for (const bool many : {false, true}) {
    const char* name = many ? "SerializeManySparse" : "SerializeSparse";
    ops.op(name)
        .input("sparse_indices: int64")
        .input("sparse_values: T")
        .input("sparse_shape: int64")
        .output("serialized_sparse: out_type")
        .attr("T: type")
        .attr("out_type: {string, variant} = string")
        .shape(many ? serialize_many_shape : one_shape)
        .no_gradient()
        .doc(many ? "Serializes each row along dimension 0 of a SparseTensor, whose elements must be sorted, as three "
                    "TensorProtos or variants: indices, values and shape."
                  : "Serializes a SparseTensor as three TensorProtos or variants: indices, values and shape.");
  }
  using tinytf::DType;
  kernels.add<SerializeSparseKernel<std::string>>("SerializeSparse").where("out_type", {DType::kString});
  kernels.add<SerializeSparseKernel<tinytf::Variant>>("SerializeSparse").where("out_type", {DType::kVariant});
  kernels.add<SerializeManySparseKernel<std::string>>("SerializeManySparse").where("out_type", {DType::kString});
  kernels.add<SerializeManySparseKernel<tinytf::Variant>>("SerializeManySparse").where("out_type", {DType::kVariant});
}
