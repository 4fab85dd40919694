#include "op/variant_forms.h"

#include <utility>

namespace tinytf {

void VariantForms::add(std::string_view type_name, VariantForm form) {
  const bool is_new = forms_.emplace(type_name, std::move(form)).second;
  TINYTF_CHECK(is_new);
}

const VariantForm* VariantForms::find(std::string_view type_name) const {
  const auto found = forms_.find(type_name);
  return found == forms_.end() ? nullptr : &found->second;
}

Status damaged_variant() { return Status(Code::kDataLoss, "the variant is damaged"); }

}  // namespace tinytf
