#include "runtime/eager/eager_library.h"

#include <atomic>

namespace tinytf {

namespace {

std::atomic<Graph*> library{nullptr};  // Owns a reference, which is never dropped.

}  // namespace

void set_eager_library(RefPtr<Graph> graph) { library.store(graph.release(), std::memory_order_release); }

RefPtr<Graph> eager_library() { return RefPtr<Graph>::share(library.load(std::memory_order_acquire)); }

}  // namespace tinytf
