#pragma once

namespace tinytf {

/// Loads an element that another thread may be changing, such as one of a fed index array, exactly once: the value that
/// was checked is the value that is used. A second pass over such memory has to check it again.
template <class Integer>
__attribute__((always_inline)) inline Integer read_once(const Integer* from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

}  // namespace tinytf
