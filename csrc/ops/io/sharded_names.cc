#include <cstdio>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// The number formatted with "%05d".
std::string five_digits(int32_t number) {
  char text[16];
  std::snprintf(text, sizeof text, "%05d", number);
  return text;
}

Result<const std::string*> scalar_name(const KernelContext& ctx) {
  for (int i = 0; i < ctx.num_inputs(); ++i) {
    if (ctx.input(i).rank() == 0) continue;
    return invalid_argument(ctx.node().op->inputs[static_cast<size_t>(i)].name, " must be a scalar, got shape ",
                            ctx.input(i).shape().to_string());
  }
  return ctx.input(0).data<std::string>();
}

class ShardedFilenameKernel final : public Kernel {
 public:
  explicit ShardedFilenameKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string* name, scalar_name(ctx));
    const int32_t shard = *ctx.input(1).data<int32_t>(), shards = *ctx.input(2).data<int32_t>();
    ctx.set_output(0, Tensor::scalar(str_cat(*name, "-", five_digits(shard), "-of-", five_digits(shards))));
    return Status();
  }
};

class ShardedFilespecKernel final : public Kernel {
 public:
  explicit ShardedFilespecKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string* name, scalar_name(ctx));
    ctx.set_output(0, Tensor::scalar(str_cat(*name, "-\?\?\?\?\?-of-", five_digits(*ctx.input(1).data<int32_t>()))));
    return Status();
  }
};

Status scalars_shape(ShapeContext& c) {
  for (int i = 0; i < c.num_inputs(); ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  return tinytf::shapes::scalar(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_sharded_names) {
  using namespace tinytf::ops;
  ops.op("ShardedFilename")
      .input("basename: string")
      .input("shard: int32")
      .input("num_shards: int32")
      .output("filename: string")
      .shape(scalars_shape)
      .not_differentiable()
      .doc("Builds the name of one file of a sharded set: BASENAME-00001-of-00003.");
  kernels.add<ShardedFilenameKernel>("ShardedFilename");

  ops.op("ShardedFilespec")
      .input("basename: string")
      .input("num_shards: int32")
      .output("filename: string")
      .shape(scalars_shape)
      .not_differentiable()
      .doc("Builds a pattern that matches the names of a sharded set of files: BASENAME-\?\?\?\?\?-of-00003.");
  kernels.add<ShardedFilespecKernel>("ShardedFilespec");
}
