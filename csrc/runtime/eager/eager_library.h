#pragma once

#include "graph/graph.h"

namespace tinytf {

/// Sets the graph whose functions the eager operations of all sessions may call. The host adds functions to it as they
/// are needed. Call it once, before the first such operation.
void set_eager_library(RefPtr<Graph> graph);
/// That graph; null if none was set. Thread-safe.
RefPtr<Graph> eager_library();

}  // namespace tinytf
