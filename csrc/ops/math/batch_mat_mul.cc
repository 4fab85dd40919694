#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

namespace tinytf::ops {
namespace {

int64_t dim(const PartialShape& matrices, int i) { return matrices.known_rank() ? matrices.dim(i) : kUnknownDim; }

/// Shape of the matrix product of one batch element.
Result<PartialShape> product_shape(ShapeContext& c) {
  const PartialShape& x = c.input(0);
  const PartialShape& y = c.input(1);
  const bool adj_x = c.attr<bool>("adj_x");
  const bool adj_y = c.attr<bool>("adj_y");
  TINYTF_RETURN_IF_ERROR(merge_dims(dim(x, adj_x ? -2 : -1), dim(y, adj_y ? -1 : -2)).status());
  return PartialShape::matrix(dim(x, adj_x ? -1 : -2), dim(y, adj_y ? -2 : -1));
}

Status batch_mat_mul_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 2));
  TINYTF_ASSIGN_OR_RETURN(const PartialShape batch, c.input(0).slice(0, -2).merge(c.input(1).slice(0, -2)));
  TINYTF_ASSIGN_OR_RETURN(const PartialShape product, product_shape(c));
  c.set_output(0, batch.concatenate(product));
  return Status();
}

Status batch_mat_mul_v2_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, 2));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(1, 2));
  if (!c.input(0).known_rank() || !c.input(1).known_rank()) return Status();
  TINYTF_ASSIGN_OR_RETURN(const PartialShape product, product_shape(c));
  TINYTF_ASSIGN_OR_RETURN(const PartialShape batch,
                          shapes::broadcast(c.input(0).slice(0, -2), c.input(1).slice(0, -2)));
  c.set_output(0, batch.concatenate(product));
  return Status();
}

Shape batch_dims(const Tensor& tensor) {
  return Shape(Dims(tensor.shape().dims().begin(), tensor.shape().dims().end() - 2));
}

using Offsets = InlinedVector<int64_t, 64>;

/// Offset in an operand of batch shape `batch` of each matrix of a result of batch shape `out`. `matrix` is the number
/// of elements of one matrix of the operand.
Offsets matrix_offsets(const Shape& batch, const Shape& out, int64_t matrix) {
  Offsets offsets;
  const int64_t count = out.num_elements();
  offsets.reserve(count);
  Dims strides(out.rank(), 0);
  int64_t stride = matrix;
  for (int i = 1; i <= batch.rank(); ++i) {
    const int64_t size = batch.dim(batch.rank() - i);
    if (size != 1) strides[out.rank() - i] = stride;
    stride *= size;
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t rest = i, offset = 0;
    for (int d = out.rank() - 1; d >= 0; --d) {
      offset += rest % out.dim(d) * strides[d];
      rest /= out.dim(d);
    }
    offsets.push_back(offset);
  }
  return offsets;
}

class BatchMatMulKernel final : public Kernel {
 public:
  BatchMatMulKernel(KernelInit& init, bool broadcasts)
      : broadcasts_(broadcasts),
        adj_x_(init.attr<bool>("adj_x")),
        adj_y_(init.attr<bool>("adj_y")),
        gemm_(kernels::table().gemm.batched[static_cast<int>(init.input_type(0))]) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    TINYTF_ASSIGN_OR_RETURN(const Shape batch, common_batch(x, y));
    const int64_t x_rows = x.dim(x.rank() - 2), x_columns = x.dim(x.rank() - 1);
    const int64_t y_rows = y.dim(y.rank() - 2), y_columns = y.dim(y.rank() - 1);
    kernels::GemmArgs args;
    args.m = adj_x_ ? x_columns : x_rows;
    args.k = adj_x_ ? x_rows : x_columns;
    args.n = adj_y_ ? y_rows : y_columns;
    if ((adj_y_ ? y_columns : y_rows) != args.k) {
      return invalid_argument("In[0] mismatch In[1] shape: ", args.k, " vs. ", adj_y_ ? y_columns : y_rows, ": ",
                              x.shape().to_string(), " ", y.shape().to_string(), " ", int{adj_x_}, " ", int{adj_y_});
    }
    Shape shape = batch;
    shape.add_dim(args.m);
    shape.add_dim(args.n);
    TINYTF_ASSIGN_OR_RETURN(Tensor * product, ctx.allocate_output(0, shape));
    if (product->num_elements() == 0) return Status();
    args.a = x.raw();
    args.lda = x_columns;
    args.b = y.raw();
    args.ldb = y_columns;
    args.c = product->raw();
    args.ldc = args.n;
    args.op_a = adj_x_ ? kernels::MatrixOp::kAdjoint : kernels::MatrixOp::kNone;
    args.op_b = adj_y_ ? kernels::MatrixOp::kAdjoint : kernels::MatrixOp::kNone;
    const Offsets x_offsets = matrix_offsets(batch_dims(x), batch, x_rows * x_columns);
    const Offsets y_offsets = matrix_offsets(batch_dims(y), batch, y_rows * y_columns);
    const kernels::GemmBatch gemm_batch{batch.num_elements(), x_offsets.data(), y_offsets.data(), args.m * args.n};
    gemm_(args, gemm_batch, ctx.parallel());
    return Status();
  }

 private:
  Result<Shape> common_batch(const Tensor& x, const Tensor& y) const {
    if (broadcasts_) {
      if (x.rank() < 2) return invalid_argument("In[0] ndims must be >= 2: ", x.rank());
      if (y.rank() < 2) return invalid_argument("In[1] ndims must be >= 2: ", y.rank());
      auto batch = shapes::broadcast(batch_dims(x), batch_dims(y));
      if (batch.ok()) return batch;
      return invalid_argument("In[0] and In[1] must have compatible batch dimensions: ", x.shape().to_string(), " vs. ",
                              y.shape().to_string());
    }
    if (x.rank() != y.rank()) {
      return invalid_argument("In[0] and In[1] has different ndims: ", x.shape().to_string(), " vs. ",
                              y.shape().to_string());
    }
    if (x.rank() < 2) return invalid_argument("In[0] and In[1] ndims must be >= 2: ", x.rank());
    for (int i = 0; i < x.rank() - 2; ++i) {
      if (x.dim(i) != y.dim(i)) {
        return invalid_argument("In[0].dim(", i, ") and In[1].dim(", i, ") must be the same: ", x.shape().to_string(),
                                " vs ", y.shape().to_string());
      }
    }
    return batch_dims(x);
  }

  const bool broadcasts_;
  const bool adj_x_;
  const bool adj_y_;
  const kernels::GemmTable::Batched gemm_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_batch_mat_mul) {
  const auto declare = [&](const char* name, bool broadcasts, ShapeFn shape, const char* doc) {
    ops.op(name)
        .input("x: T")
        .input("y: T")
        .output("output: T")
        .attr("T: {bfloat16, half, float, double, int32, int64, complex64, complex128}")
        .attr("adj_x: bool = false")
        .attr("adj_y: bool = false")
        .shape(shape)
        .doc(doc);
    kernels.add(name, [broadcasts](KernelInit& init) { return std::make_unique<BatchMatMulKernel>(init, broadcasts); })
        .where("T", any_of({kAllFloats, kComplexes, kInts32And64}));
  };
  declare("BatchMatMul", false, batch_mat_mul_shape,
          "Computes the products of the matrices in the last two dimensions of `x` and `y`, whose other dimensions "
          "must be equal. `adj_x` and `adj_y` use the conjugate transpose of `x` and `y`.");
  declare("BatchMatMulV2", true, batch_mat_mul_v2_shape,
          "Computes the products of matrices as BatchMatMul does, with broadcasting of all dimensions except the last "
          "two.");
}
