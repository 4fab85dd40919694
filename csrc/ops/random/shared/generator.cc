#include "ops/random/shared/generator.h"

#include "op/registration.h"

namespace tinytf::ops {

Result<kernels::Philox> stateless_generator(const Tensor& seed) {
  if (seed.rank() != 1 || seed.dim(0) != 2) {
    return invalid_argument("seed must have shape [2], not ", seed.shape().to_string());
  }
  return kernels::Philox::stateless(static_cast<uint64_t>(seed.int_at(0)), static_cast<uint64_t>(seed.int_at(1)));
}

Result<Shape> shape_from(const Tensor& dims) {
  if (dims.rank() != 1) {
    return invalid_argument("shape must be a vector of {int32,int64}, got shape ", dims.shape().to_string());
  }
  Dims sizes;
  for (int64_t i = 0; i < dims.num_elements(); ++i) sizes.push_back(dims.int_at(i));
  return Shape::checked(sizes);
}

Status random_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  c.set_output(0, c.input_as_shape(0));
  return Status();
}

Status stateless_random_shape(ShapeContext& c) {
  PartialShape seed;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &seed));
  if (!merge_dims(seed.dim(0), 2).ok()) return invalid_argument("Dimension must be 2 but is ", seed.dim(0));
  return random_shape(c);
}

}  // namespace tinytf::ops
