#pragma once

#include "io/variant_bytes.h"

namespace tinytf::ops {

/// Of all types whose values TensorFlow saves: tensors and lists of them, of all types but variant, and empty variants.
const VariantCodec& variant_codec();

}  // namespace tinytf::ops
