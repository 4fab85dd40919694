#pragma once

#include <functional>
#include <memory>
#include <string>

#include "handles/session_core.h"

namespace tinytf {

/// The op that made a value, and the program line: "file:line".
struct Site {
  std::string op;
  std::string place;
};

// The sites of eager values in this process, where they were recorded. Thread-safe.

void note_site(const TensorHandle& handle, Site site);
/// Null if no site was recorded for the value.
std::shared_ptr<const Site> site_of(const TensorHandle& handle);
/// Discards the sites of a core's values.
void forget_sites(const SessionCore& core);

/// The sites that hold the most bytes, as text for a message; empty if there are none.
std::string largest_holders(SessionCore& core);
/// The value of a live handle, sharing its memory, since another thread may close the handle meanwhile. Invalid if the
/// handle has no value now.
Tensor value_now(const TensorHandle& handle);

}  // namespace tinytf
