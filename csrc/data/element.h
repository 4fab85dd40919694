#pragma once

#include <vector>

#include "base/dtype.h"
#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

namespace tinytf::data {

/// One element of a dataset: the tensors of its components. Stages move elements on, and overwrite the vector that they
/// are given, so that a chain of stages allocates no vectors.
using Element = std::vector<Tensor>;

/// The dtypes and shapes of the components of all elements of a dataset.
struct ElementSpec {
  std::vector<DType> types;
  std::vector<PartialShape> shapes;
};

/// Checks that elements of spec `actual` may be taken as elements of `expected`: equal dtypes and compatible shapes.
/// InvalidArgument with TensorFlow's text.
Status check_compatible(const ElementSpec& expected, const ElementSpec& actual);
/// The same for one element.
Status check_element(const ElementSpec& expected, const Element& element);
/// The bytes of the element's tensors; shared memory counts once for each tensor.
int64_t bytes_of(const Element& element);

}  // namespace tinytf::data
