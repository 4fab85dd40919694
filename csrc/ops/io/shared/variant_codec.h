#pragma once

#include "io/variant_bytes.h"

namespace tinytf::ops {

/// The codec of the variants that have a form in VariantForms, and of empty variants. Their tensors may be of all
/// dtypes except variant.
const VariantCodec& variant_codec();

}  // namespace tinytf::ops
