#pragma once

#include "op/variant_forms.h"
#include "ops/data_flow/shared/tensor_list.h"

namespace tinytf::ops {

/// How lists of tensors are stored, as in TensorFlow: the metadata has the indices of unset elements, the dtype, the
/// maximum size and the element shape; the tensors are the other elements.
VariantForm tensor_list_form();

}  // namespace tinytf::ops
