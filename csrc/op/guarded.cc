#include "op/guarded.h"

#include <new>
#include <stdexcept>

#include "services/thread_pool.h"

namespace tinytf {

namespace {

// Allocated at start-up, because memory may be exhausted later. Copies share the text.
const Status kNoMemory(Code::kResourceExhausted,
                       "Out of memory: the operation cannot allocate the memory that it needs to run");
const Status kCut(Code::kCancelled, "Run call was cancelled");

}  // namespace

Status status_of(const std::exception& error) noexcept {
  if (dynamic_cast<const LoopCut*>(&error) != nullptr) return kCut;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return kNoMemory;
  try {
    if (dynamic_cast<const std::length_error*>(&error) != nullptr) {
      return Status(Code::kResourceExhausted,
                    str_cat("The operation needs an object larger than the maximum size: ", error.what()));
    }
    return internal_error("The operation ended with an exception: ", error.what());
  } catch (const std::bad_alloc&) {
    return kNoMemory;
  }
}

Status tagged(Status status, const std::string& node) noexcept {
  try {
    return status.at_node(node);
  } catch (const std::bad_alloc&) {
    return status;
  }
}

}  // namespace tinytf
