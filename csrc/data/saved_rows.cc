#include "data/saved_rows.h"

namespace tinytf::data {

Status save_rows(IteratorContext& ctx, StateWriter& state, const BatchRows& rows) {
  state.put_int("has_rows", rows.size() > 0);
  TINYTF_ASSIGN_OR_RETURN(const Element copy, rows.copy(ctx.allocator()));
  return state.put_element("rows", copy);
}

Status restore_rows(IteratorContext& ctx, StateReader& state, const ElementSpec& spec, int64_t size, BatchRows& rows) {
  TINYTF_ASSIGN_OR_RETURN(const int64_t has_rows, state.get_int("has_rows", 0, 1));
  TINYTF_ASSIGN_OR_RETURN(const Element stored,
                          state.get_element("rows", has_rows != 0 ? batches_of(spec) : ElementSpec()));
  return rows.set(ctx.allocator(), stored, size);
}

}  // namespace tinytf::data
