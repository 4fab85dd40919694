#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#include "base/aligned_memory.h"

namespace tinytf::kernels::TINYTF_ISA {

/// 64-byte aligned working memory, borrowed from the calling thread for the life of the object. The memory stays with
/// the thread and only grows, so steady loops allocate nothing. Loans nest (also when a thread that waits in
/// Parallel::run is given other kernels' work): each level of nesting has memory of its own.
class Scratch {
 public:
  explicit Scratch(size_t bytes) {
    Pile& pile = this_thread();
    const int level = pile.depth++;
    if (level >= kLevels || bytes > kKept) {
      owned_ = memory_ = allocate(bytes);
      return;
    }
    Level& mine = pile.levels[level];
    if (mine.bytes < bytes) {
      std::free(mine.memory);
      mine = {};
      mine.memory = allocate(bytes);
      mine.bytes = bytes;
    }
    memory_ = mine.memory;
  }
  ~Scratch() {
    --this_thread().depth;
    std::free(owned_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  template <class T>
  T* as() const {
    return static_cast<T*>(memory_);
  }

 private:
  static constexpr int kLevels = 10;
  static constexpr size_t kKept = size_t{32} << 20;  // larger loans go back to the system

  struct Level {
    void* memory = nullptr;
    size_t bytes = 0;
  };
  struct Pile {
    Level levels[kLevels];
    int depth = 0;
    ~Pile() {
      for (Level& level : levels) std::free(level.memory);
    }
  };
  static Pile& this_thread() {
    static thread_local Pile pile;
    return pile;
  }
  static void* allocate(size_t bytes) {
    void* memory = allocate_aligned(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }

  void* memory_ = nullptr;
  void* owned_ = nullptr;
};

}  // namespace tinytf::kernels::TINYTF_ISA
