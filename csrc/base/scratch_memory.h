#pragma once

#include <cstddef>
#include <cstdint>

namespace tinytf {

// No inline members that kernels call: compiled with a kernel's instruction-set flags, the linker could keep a copy
// that only some processors can run.

/// A source of large blocks of working memory for kernels, which it accounts for: a session's allocator. Thread-safe.
class ScratchSource {
 public:
  struct Loan {
    void* memory = nullptr;  ///< 64-byte aligned; null if memory is exhausted
    void* owner = nullptr;   ///< opaque data of the source
  };
  virtual Loan lend(size_t bytes) noexcept = 0;
  virtual void take_back(const Loan& loan) noexcept = 0;

 protected:
  ~ScratchSource() = default;
};

/// While it lives, kernels on this thread borrow memory from `source`, or from the system if that is null. Scopes nest.
/// The source must outlive every kernel call in the scope.
class ScratchScope {
 public:
  explicit ScratchScope(ScratchSource* source) noexcept;
  ~ScratchScope();
  ScratchScope(const ScratchScope&) = delete;
  ScratchScope& operator=(const ScratchScope&) = delete;
  /// The calling thread's current source, or null if it has none.
  static ScratchSource* source() noexcept;

 private:
  ScratchSource* const around_;
};

/// 64-byte aligned working memory that lives as long as the object, which stays on one thread. Small blocks are cached
/// per thread, up to a MiB in total, so that steady loops allocate nothing; larger ones are borrowed from the thread's
/// source, or from the system if there is no source or the source is exhausted. Objects nest, each with its own memory.
/// The constructor throws std::bad_alloc.
class ScratchMemory {
 public:
  explicit ScratchMemory(size_t bytes);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;
  void* get() const;

  /// Bytes that the threads of this process have cached now.
  static int64_t kept_bytes() noexcept;

 private:
  void* memory_ = nullptr;
  ScratchSource* source_ = nullptr;  // lender of the memory; null if it was not borrowed
  void* owner_ = nullptr;
  bool is_own_ = false;  // the memory was allocated from the system
};

}  // namespace tinytf
