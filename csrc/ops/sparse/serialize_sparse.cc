#include "io/tensor_proto.h"
#include "op/registration.h"
#include "ops/sparse/sparse_shapes.h"
#include "ops/sparse/sparse_value.h"

namespace tinytf::ops {
namespace {

/// The fields of a TensorProto with all elements as memory; that of strings is their lengths and then themselves.
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

/// Three messages: indices, values and shape.
Status write_messages(const Tensor& indices, const Tensor& values, const Tensor& shape, std::string* messages) {
  for (const Tensor* part : {&indices, &values, &shape}) TINYTF_RETURN_IF_ERROR(write_message(*part, messages++));
  return Status();
}

class SerializeSparseKernel final : public Kernel {
 public:
  explicit SerializeSparseKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_sparse_ranks(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({3})));
    return write_messages(ctx.input(0), ctx.input(1), ctx.input(2), out->data<std::string>());
  }
};

class SerializeManySparseKernel final : public Kernel {
 public:
  explicit SerializeManySparseKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_sparse_ranks(ctx, 0));
    TINYTF_RETURN_IF_ERROR(check_splittable(ctx.input(2)));
    TINYTF_ASSIGN_OR_RETURN(const SparseValue sparse, read_sparse(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const std::vector<SparseValue> rows, split_rows(ctx, sparse));
    TINYTF_ASSIGN_OR_RETURN(Tensor shape, ctx.allocate(DType::kInt64, Shape({sparse.rank() - 1})));
    std::copy(sparse.shape.begin() + 1, sparse.shape.end(), shape.data<int64_t>());
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({static_cast<int64_t>(rows.size()), 3})));
    auto* messages = out->data<std::string>();
    for (const SparseValue& row : rows) {
      TINYTF_RETURN_IF_ERROR(write_messages(row.indices, row.values, shape, messages));
      messages += 3;
    }
    return Status();
  }
};

Status one_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_sparse_inputs(c));
  c.set_output(0, PartialShape({3}));
  return Status();
}

Status many_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_sparse_inputs(c));
  c.set_output(0, PartialShape({kUnknownDim, 3}));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_serialize_sparse) {
  using namespace tinytf::ops;
  for (const bool many : {false, true}) {
    const char* name = many ? "SerializeManySparse" : "SerializeSparse";
    ops.op(name)
        .input("sparse_indices: int64")
        .input("sparse_values: T")
        .input("sparse_shape: int64")
        .output("serialized_sparse: out_type")
        .attr("T: type")
        .attr("out_type: {string, variant} = string")
        .shape(many ? many_shape : one_shape)
        .no_gradient()
        .doc(many ? "The rows of a SparseTensor, which must be in order, as TensorProtos: three each."
                  : "A SparseTensor as three TensorProtos: of its indices, values and shape.");
    if (many) {
      kernels.add<SerializeManySparseKernel>(name).where("out_type", {tinytf::DType::kString});
    } else {
      kernels.add<SerializeSparseKernel>(name).where("out_type", {tinytf::DType::kString});
    }
  }
}
