#include "op/registration.h"

namespace tinytf::ops {
namespace {

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
      .doc("The name of one of several files that belong together: BASENAME-00001-of-00003.");
  ops.op("ShardedFilespec")
      .input("basename: string")
      .input("num_shards: int32")
      .output("filename: string")
      .shape(scalars_shape)
      .not_differentiable()
      .doc("A pattern for the names of several files that belong together: BASENAME-?????-of-00003.");
}
