#include <algorithm>
#include <cstring>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/loop_of.h"

namespace tinytf::ops {

namespace {

Status cross_entropy_shape(ShapeContext& c) {
  PartialShape features;
  Result<PartialShape> merged = PartialShape();
  if (c.with_rank(0, 2, &features).ok()) merged = features.merge(c.input(1));
  const bool is_same = features.known_rank() && merged.ok();  // Otherwise one of the inputs is broadcast.
  PartialShape both;
  if (is_same) {
    both = merged.take();
  } else {
    TINYTF_ASSIGN_OR_RETURN(both, shapes::broadcast(c.input(0), c.input(1)));
  }
  if (!both.known_rank()) return invalid_argument("Shape must be broadcasted with rank 2, but is rank is unknown.");
  if (both.rank() != 2) {
    return invalid_argument("Shape must be broadcasted with rank 2, but is rank ", both.rank());
  }
  c.set_output(0, PartialShape::vector(both.dim(0)));
  c.set_output(1, std::move(both));
  return Status();
}

Status sparse_cross_entropy_shape(ShapeContext& c) {
  PartialShape features;
  PartialShape labels;
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 2, &features));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &labels));
  TINYTF_ASSIGN_OR_RETURN(const int64_t rows, merge_dims(features.dim(0), labels.dim(0)));
  features.set_dim(0, rows);
  c.set_output(0, PartialShape::vector(rows));
  c.set_output(1, std::move(features));
  return Status();
}

/// Strides with which an operand of rank <= 2 is broadcast to a matrix.
kernels::Strides2D matrix_strides(const Shape& shape) {
  const int64_t columns = shape.rank() >= 1 ? shape.dim(shape.rank() - 1) : 1;
  const int64_t rows = shape.rank() >= 2 ? shape.dim(0) : 1;
  return {rows == 1 ? 0 : columns, columns == 1 ? 0 : 1};
}

class CrossEntropyKernel final : public Kernel {
 public:
  explicit CrossEntropyKernel(KernelInit& init)
      : loop_(loop_of(init, kernels::table().softmax.cross_entropy, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& logits = ctx.input(0);
    const Tensor& labels = ctx.input(1);
    Shape both = logits.shape();
    if (labels.shape() != both) {
      auto broadcast = shapes::broadcast(logits.shape(), labels.shape());
      if (!broadcast.ok()) {
        return invalid_argument("logits and labels must be broadcastable: logits_size=", logits.shape().to_string(),
                                " labels_size=", labels.shape().to_string());
      }
      both = broadcast.take();
    }
    if (both.rank() != 2) {
      return invalid_argument("logits and labels must be either 2-dimensional, or broadcasted to be 2-dimensional");
    }
    const int64_t rows = both.dim(0);
    const int64_t columns = both.dim(1);
    TINYTF_ASSIGN_OR_RETURN(Tensor * loss, ctx.allocate_output(0, Shape({rows})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * backprop, ctx.forward_or_allocate(0, 1, both));
    if (columns == 0) {
      if (rows > 0) std::memset(loss->raw(), 0, loss->bytes());
      return Status();
    }
    kernels::run_cross_entropy(loop_, logits.dtype(), logits.raw(), strides(logits.shape(), columns), labels.raw(),
                               strides(labels.shape(), columns), loss->raw(), backprop->raw(), rows, columns,
                               ctx.parallel());
    return Status();
  }

 private:
  static kernels::Strides2D strides(const Shape& shape, int64_t columns) {
    kernels::Strides2D s = matrix_strides(shape);
    if (columns == 1) s.col = 1;  // one column is never broadcast
    return s;
  }

  kernels::CrossEntropyLoop loop_;
};

class SparseCrossEntropyKernel final : public Kernel {
 public:
  explicit SparseCrossEntropyKernel(KernelInit& init)
      : loop_(loop_of(init, kernels::table().softmax.sparse_cross_entropy, init.input_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& logits = ctx.input(0);
    const Tensor& labels = ctx.input(1);
    if (logits.rank() != 2) {
      return invalid_argument("logits must be 2-D, but got shape ", logits.shape().to_string());
    }
    if (labels.rank() != 1) {
      return invalid_argument("labels must be 1-D, but got shape ", labels.shape().to_string());
    }
    const int64_t rows = logits.dim(0);
    const int64_t columns = logits.dim(1);
    if (labels.dim(0) != rows) {
      return invalid_argument("logits and labels must have the same first dimension, got logits shape ",
                              logits.shape().to_string(), " and labels shape ", labels.shape().to_string());
    }
    if (columns == 0) {
      return invalid_argument("Must have at least one class, but got logits shape ", logits.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * loss, ctx.allocate_output(0, labels.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * backprop, ctx.forward_or_allocate(0, 1, logits.shape()));
    const int64_t bad_row =
        kernels::run_sparse_cross_entropy(loop_, logits.dtype(), logits.raw(), labels.dtype(), labels.raw(),
                                          loss->raw(), backprop->raw(), rows, columns, ctx.parallel());
    return bad_row < 0 ? Status() : bad_label(labels, columns);
  }

 private:
  static Status bad_label(const Tensor& labels, int64_t classes) {
    int64_t lowest = labels.int_at(0);
    int64_t highest = lowest;
    std::string all;
    for (int64_t i = 0; i < labels.num_elements(); ++i) {
      const int64_t label = labels.int_at(i);
      lowest = std::min(lowest, label);
      highest = std::max(highest, label);
      all += str_cat(i == 0 ? "" : " ", label);
    }
    return invalid_argument("Received a label value of ", lowest < 0 ? lowest : highest,
                            " which is outside the valid range of [0, ", classes, ").  Label values: ", all);
  }

  kernels::SparseCrossEntropyLoop loop_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(nn_cross_entropy) {
  using namespace tinytf::ops;

  ops.op("SoftmaxCrossEntropyWithLogits")
      .input("features: T")
      .input("labels: T")
      .output("loss: T")
      .output("backprop: T")
      .attr("T: {half, bfloat16, float, double}")
      .shape(cross_entropy_shape)
      .ignores_gradient("backprop")
      .doc(
          "Computes the cross entropy between `labels`, which hold a probability distribution in each row, and the "
          "softmax of `features`. Both broadcast to [batch, classes]. `loss` has shape [batch]; `backprop` [batch, "
          "classes] is its gradient with respect to `features`.");
  kernels.add<CrossEntropyKernel>("SoftmaxCrossEntropyWithLogits").where("T", kAllFloats);

  ops.op("SparseSoftmaxCrossEntropyWithLogits")
      .input("features: T")
      .input("labels: Tlabels")
      .output("loss: T")
      .output("backprop: T")
      .attr("T: {half, bfloat16, float, double}")
      .attr("Tlabels: {int32, int64} = DT_INT64")
      .shape(sparse_cross_entropy_shape)
      .ignores_gradient("backprop")
      .doc(
          "Computes the cross entropy between the class indices `labels` [batch] and the softmax of `features` [batch, "
          "classes]. `loss` has shape [batch]; `backprop` is its gradient with respect to `features`. Fails with "
          "InvalidArgument if a label is outside [0, classes).");
  kernels.add<SparseCrossEntropyKernel>("SparseSoftmaxCrossEntropyWithLogits").where("T", kAllFloats);
}
