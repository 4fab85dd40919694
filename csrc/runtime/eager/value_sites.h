#pragma once

#include <functional>
#include <memory>
#include <string>

#include "session/session_core.h"

namespace tinytf {

/// What made a value, and where in the program: "file:line".
struct Site {
  std::string op;
  std::string place;
};

// What made the values of the process's sessions, as far as somebody noted it. Thread-safe.

void note_site(const TensorHandle& handle, Site site);
/// Null if nothing was noted of the value.
std::shared_ptr<const Site> site_of(const TensorHandle& handle);
/// Forgets what was noted of a core's values.
void forget_sites(const SessionCore& core);

/// The places that hold most bytes, for a message; '' if nothing is held.
std::string largest_holders(SessionCore& core);
/// A live handle's value, shared, as others may close it meanwhile; invalid if it has none now.
Tensor value_now(const TensorHandle& handle);

}  // namespace tinytf
