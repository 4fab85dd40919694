#pragma once

#include "data/iterator_state.h"
#include "op/kernel_state.h"

namespace tinytf::data {

/// Writes states of random generators; nothing if there are none. ResourceExhausted without memory.
Status put_random_states(StateWriter& state, const RandomStates& states);
/// Reads them; none if there is no such value, as in positions of programs without random operations. DataLoss if the
/// values are damaged.
Result<RandomStates> get_random_states(const StateReader& state);

}  // namespace tinytf::data
