#pragma once

#include "io/variant_bytes.h"

namespace tinytf::ops {

/// The codec of the variants that TensorFlow can save: tensors and lists of tensors of all dtypes except variant, and
/// empty variants.
const VariantCodec& variant_codec();

}  // namespace tinytf::ops
