#include "base/checked.h"
#include "base/read_once.h"
#include "op/registration.h"
#include "ops/array/shared/concat_pieces.h"
#include "ops/array/shared/element_moves.h"
#include "ops/array/shared/index_text.h"

namespace tinytf::ops {
namespace {

/// The error if an input changes between the first and the second pass over it.
Status changed(const char* input) {
  return invalid_argument(input, " were changed by another thread while the operation read them");
}

constexpr double kIndexCost = 1.5;  // nanoseconds

class DynamicPartitionKernel final : public Kernel {
 public:
  explicit DynamicPartitionKernel(KernelInit& init) : count_(init.attr<int64_t>("num_partitions")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& data = ctx.input(0);
    const Tensor& partitions = ctx.input(1);
    const int prefix = partitions.rank();
    bool fits = data.rank() >= prefix;
    for (int d = 0; fits && d < prefix; ++d) fits = data.dim(d) == partitions.dim(d);
    if (!fits) {
      return invalid_argument("data.shape must start with partitions.shape, got data.shape = ",
                              data.shape().to_string(), ", partitions.shape = ", partitions.shape().to_string());
    }
    const int64_t n = partitions.num_elements(), inner = data.shape().product(prefix, data.rank());
    const auto* ids = partitions.data<int32_t>();
    PieceSizes counts(static_cast<size_t>(count_), 0);
    Status status;
    ctx.parallel().run_in_order(n, kIndexCost, [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) {
        const int32_t id = read_once(ids + i);
        if (id >= 0 && id < count_) {
          ++counts[id];
        } else {
          status = invalid_argument("partitions", index_text(partitions.shape(), i), " = ", id, " is not in [0, ",
                                    count_, ")");
        }
      }
    });
    TINYTF_RETURN_IF_ERROR(status);
    InlinedVector<Tensor*, 16> outputs;
    for (int64_t p = 0; p < count_; ++p) {
      Shape shape({counts[p]});
      for (int d = prefix; d < data.rank(); ++d) shape.add_dim(data.dim(d));
      TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(static_cast<int>(p), shape));
      outputs.push_back(out);
      counts[p] = 0;
    }
    ctx.parallel().run_in_order(n, row_cost(data, inner), [&](int64_t i, int64_t end) {
      if (!status.ok()) return;
      int64_t* const done = counts.data();
      Tensor* const* const to = outputs.data();
      for (const int64_t size = inner; i < end; ++i) {
        const int32_t id = read_once(ids + i);
        if (id < 0 || id >= count_ || done[id] == to[id]->dim(0)) {
          status = changed("partitions");
          return;
        }
        copy_elements(data, i * size, *to[id], done[id]++ * size, size);
      }
    });
    return status;
  }

 private:
  const int64_t count_;
};

Status dynamic_partition_shape(ShapeContext& c) {
  const PartialShape& data = c.input(0);
  const PartialShape& partitions = c.input(1);
  if (!data.known_rank() || !partitions.known_rank()) return Status();
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(0, partitions.rank()));
  TINYTF_RETURN_IF_ERROR(data.slice(0, partitions.rank()).merge(partitions).status());
  const PartialShape out = PartialShape::vector(kUnknownDim).concatenate(data.slice(partitions.rank()));
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, out);
  return Status();
}

/// If an index occurs more than once, the last occurrence wins.
class DynamicStitchKernel final : public Kernel {
 public:
  explicit DynamicStitchKernel(KernelInit& init) : pairs_(static_cast<int>(init.node().inputs.size() / 2)) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    int64_t rows = 0;
    const Tensor& data0 = ctx.input(pairs_);
    const int prefix0 = ctx.input(0).rank();
    for (int i = 0; i < pairs_; ++i) {
      const Tensor& indices = ctx.input(i);
      const Tensor& data = ctx.input(pairs_ + i);
      bool fits = data.rank() >= indices.rank();
      for (int d = 0; fits && d < indices.rank(); ++d) fits = data.dim(d) == indices.dim(d);
      if (!fits) {
        return invalid_argument("data[", i, "].shape = ", data.shape().to_string(), " does not start with indices[", i,
                                "].shape = ", indices.shape().to_string());
      }
      bool same = data.rank() - indices.rank() == data0.rank() - prefix0;
      for (int d = 0; same && d < data0.rank() - prefix0; ++d) {
        same = data.dim(indices.rank() + d) == data0.dim(prefix0 + d);
      }
      if (!same) {
        return invalid_argument("Need data[0].shape[", prefix0, ":] = data[", i, "].shape[", indices.rank(),
                                ":], got data[0].shape = ", data0.shape().to_string(), ", data[", i,
                                "].shape = ", data.shape().to_string(),
                                ", indices[0].shape = ", ctx.input(0).shape().to_string(), ", indices[", i,
                                "].shape = ", indices.shape().to_string());
      }
      ctx.parallel().run_in_order(indices.num_elements(), kIndexCost, [&](int64_t k, int64_t end) {
        for (; status.ok() && k < end; ++k) {
          const int32_t row = read_once(indices.data<int32_t>() + k);
          if (row < 0) status = invalid_argument("indices[", k, "] is out of range");
          rows = std::max(rows, int64_t{row} + 1);
        }
      });
      TINYTF_RETURN_IF_ERROR(status);
    }
    Shape shape({rows});
    for (int d = prefix0; d < data0.rank(); ++d) shape.add_dim(data0.dim(d));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    const int64_t inner = shape.product(1, shape.rank());
    if (const size_t size = dtype_size(out->dtype())) {
      kernels::table().copy.fill(out->raw(), kZeroElement, size, out->num_elements(), ctx.parallel());
    }
    for (int i = 0; i < pairs_; ++i) {
      const Tensor& indices = ctx.input(i);
      const Tensor& data = ctx.input(pairs_ + i);
      ctx.parallel().run_in_order(indices.num_elements(), row_cost(data, inner), [&](int64_t k, int64_t end) {
        for (; status.ok() && k < end; ++k) {
          const int32_t row = read_once(indices.data<int32_t>() + k);
          if (row >= 0 && row < rows) {
            copy_elements(data, k * inner, *out, row * inner, inner);
          } else {
            status = changed("indices");
          }
        }
      });
      TINYTF_RETURN_IF_ERROR(status);
    }
    return Status();
  }

 private:
  const int pairs_;
};

Status dynamic_stitch_shape(ShapeContext& c) {
  const int n = c.num_inputs() / 2;
  PartialShape rest;
  int64_t rows = 0;
  for (int i = 0; i < n; ++i) {
    const PartialShape& indices = c.input(i);
    const PartialShape& data = c.input(n + i);
    if (const Tensor* values = c.input_tensor(i); values != nullptr && rows >= 0) {
      for (int64_t k = 0; k < values->num_elements(); ++k) {
        rows = std::max(rows, (Size(values->int_at(k)) + 1).value());
      }
    } else {
      rows = kUnknownDim;
    }
    if (!indices.known_rank() || !data.known_rank()) continue;
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(n + i, indices.rank()));
    TINYTF_RETURN_IF_ERROR(data.slice(0, indices.rank()).merge(indices).status());
    TINYTF_ASSIGN_OR_RETURN(rest, rest.merge(data.slice(indices.rank())));
  }
  c.set_output(0, PartialShape::vector(rows).concatenate(rest));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_dynamic_partition) {
  using namespace tinytf::ops;
  ops.op("DynamicPartition")
      .input("data: T")
      .input("partitions: int32")
      .output("outputs: num_partitions * T")
      .attr("num_partitions: int >= 1")
      .attr("T: type")
      .shape(dynamic_partition_shape)
      .endpoint("dynamic_partition")
      .doc(
          "Distributes the slices of `data`: output p holds, in order, the slices `data[i]` with `partitions[i]` = p.");
  kernels.add<DynamicPartitionKernel>("DynamicPartition");

  for (const char* name : {"DynamicStitch", "ParallelDynamicStitch"}) {
    auto stitch = ops.op(name);
    stitch.input("indices: N * int32")
        .input("data: N * T")
        .output("merged: T")
        .attr("N: int >= 1")
        .attr("T: type")
        .shape(dynamic_stitch_shape)
        .doc(
            "Merges slices: merged[indices[m][i]] = data[m][i]. If an index occurs more than once, the last occurrence "
            "wins.");
    if (std::string_view(name) == "DynamicStitch") stitch.endpoint("dynamic_stitch");
    kernels.add<DynamicStitchKernel>(name);
  }
}
