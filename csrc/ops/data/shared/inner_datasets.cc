#include "ops/data/shared/inner_datasets.h"

namespace tinytf::ops {

Result<IteratorPtr> inner_iterator(IteratorContext& ctx, const Element& results) {
  if (results.size() != 1 || results[0].dtype() != DType::kVariant || results[0].rank() != 0) {
    return invalid_argument("Function must return a single scalar of dtype DT_VARIANT.");
  }
  TINYTF_ASSIGN_OR_RETURN(const Dataset* const dataset, data::dataset_of(results[0]));
  return data::make_nested_iterator(ctx, *dataset);
}

Result<IteratorPtr> inner_iterator_of(IteratorContext& ctx, data::BoundFunction& function, Element& element) {
  TINYTF_RETURN_IF_ERROR(function.run(ctx, element));
  return inner_iterator(ctx, element);
}

Status MakingCall::save(const StateWriter& state) const {
  StateWriter part = state;
  TINYTF_RETURN_IF_ERROR(part.put_element("arguments", arguments));
  StateWriter random = state.inside("before");
  return data::put_random_states(random, before);
}

Status MakingCall::restore(const StateReader& state, const ElementSpec& spec, const data::BoundFunction& function) {
  TINYTF_ASSIGN_OR_RETURN(arguments, state.get_element("arguments", spec));
  TINYTF_ASSIGN_OR_RETURN(before, data::get_random_states(state.inside("before")));
  function.set_random_states(before);
  return Status();
}

}  // namespace tinytf::ops
