#pragma once

#include <cstddef>
#include <cstdint>

namespace tinytf {

// No inline members that kernels call: compiled with a kernel's flags, the linker could keep a copy that only some
// processors can run.

/// Who lends large pieces of working memory to kernels and counts them: a session's allocator. Thread-safe.
class ScratchSource {
 public:
  struct Loan {
    void* memory = nullptr;  ///< 64-byte aligned; null: there is none
    void* owner = nullptr;   ///< the source's own
  };
  virtual Loan lend(size_t bytes) noexcept = 0;
  virtual void take_back(const Loan& loan) noexcept = 0;

 protected:
  ~ScratchSource() = default;
};

/// While it lives, kernels on this thread borrow from `source` (null: from the system). Nests. The source must outlive
/// every kernel call under it.
class ScratchScope {
 public:
  explicit ScratchScope(ScratchSource* source) noexcept;
  ~ScratchScope();
  ScratchScope(const ScratchScope&) = delete;
  ScratchScope& operator=(const ScratchScope&) = delete;
  /// Of the calling thread; null: none.
  static ScratchSource* source() noexcept;

 private:
  ScratchSource* const around_;
};

/// 64-byte aligned working memory for the life of the object, on one thread. Small pieces stay with the thread, up to a
/// MiB in all, so that steady loops allocate nothing; larger ones are borrowed from the thread's source, or from the
/// system if it has none or nothing left. Nests: each level has memory of its own. Throws std::bad_alloc.
class ScratchMemory {
 public:
  explicit ScratchMemory(size_t bytes);
  ~ScratchMemory();
  ScratchMemory(const ScratchMemory&) = delete;
  ScratchMemory& operator=(const ScratchMemory&) = delete;
  void* get() const;

  /// What threads of this process keep now.
  static int64_t kept_bytes() noexcept;

 private:
  void* memory_ = nullptr;
  ScratchSource* source_ = nullptr;  // of a loan
  void* owner_ = nullptr;
  bool is_own_ = false;  // of the system
};

}  // namespace tinytf
