#pragma once

#include <deque>

#include "data/iterator_state.h"

namespace tinytf::data {

/// What a stage has pulled for its consumer: an element, or an error.
struct Entry {
  Status status;
  Element element;
};

/// Writes the entries of a buffer.
Status save_entries(StateWriter& state, const std::deque<Entry>& entries);
/// Reads them. DataLoss if they are damaged, do not match the spec of elements, or are more than `most`.
Result<std::deque<Entry>> restore_entries(const StateReader& state, const ElementSpec& spec, int64_t most = INT64_MAX);

}  // namespace tinytf::data
