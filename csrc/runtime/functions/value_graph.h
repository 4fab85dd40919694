#pragma once

namespace tinytf {

/// Sets the codec of op/value_graph.h. Idempotent.
void provide_value_graph_codec();

}  // namespace tinytf
