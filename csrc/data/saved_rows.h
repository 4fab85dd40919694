#pragma once

#include "data/batch_rows.h"
#include "data/iterator.h"
#include "data/iterator_state.h"

namespace tinytf::data {

/// Writes the rows of an unfinished batch, which has no error.
Status save_rows(IteratorContext& ctx, StateWriter& state, const BatchRows& rows);
/// Sets the rows to saved ones of elements of this spec. DataLoss for damaged ones, and for `size` or more.
Status restore_rows(IteratorContext& ctx, StateReader& state, const ElementSpec& spec, int64_t size, BatchRows& rows);

}  // namespace tinytf::data
