#pragma once

#include <memory>

#include "data/dataset.h"

namespace tinytf::data {

/// Makes the iterator at the end of a pipeline, whose tasks are those of `ctx`.
Result<std::unique_ptr<Iterator>> make_last_iterator(IteratorContext& ctx, const Dataset& dataset);

/// The dataset whose stages are made in `ctx`: one that a function made, or that of the whole pipeline; null if the
/// pipeline was not made by make_last_iterator. Valid as long as the pipeline.
const Dataset* enclosing_dataset(const IteratorContext& ctx);

}  // namespace tinytf::data
