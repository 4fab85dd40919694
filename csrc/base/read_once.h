#pragma once

namespace tinytf {

/// An element of memory that somebody else may be changing, such as a fed index array: the value that was checked is
/// the one that is used. What one pass over such memory has checked, the next has to check again.
template <class Integer>
__attribute__((always_inline)) inline Integer read_once(const Integer* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

}  // namespace tinytf
