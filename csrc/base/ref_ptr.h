#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tinytf {

/// Base of objects with an intrusive reference count. A new object has one reference, which RefPtr::adopt or make_ref
/// takes over. Counting is thread-safe; the object itself is as thread-safe as its class says.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

  void ref() const noexcept { refs_.fetch_add(1, std::memory_order_relaxed); }

  void unref() const noexcept {
    // A sole owner needs no atomic write, because no other thread can reach the count.
    if (refs_.load(std::memory_order_acquire) == 1 || refs_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const_cast<RefCounted*>(this)->destroy();
    }
  }

  /// True if the caller holds the only reference, so that it may write in place.
  bool unique() const noexcept { return refs_.load(std::memory_order_acquire) == 1; }

  /// For WeakLink, which keeps the memory valid meanwhile: adds a reference, unless the last one is gone.
  bool ref_unless_gone() const noexcept {
    int32_t refs = refs_.load(std::memory_order_relaxed);
    while (refs > 0) {
      if (refs_.compare_exchange_weak(refs, refs + 1, std::memory_order_relaxed)) return true;
    }
    return false;
  }
  /// Whether there are references beside the one that is being dropped, in an override of destroy().
  bool is_shared() const noexcept { return refs_.load(std::memory_order_acquire) > 1; }

 protected:
  virtual ~RefCounted() = default;
  /// Called once, by the thread that drops the last reference. Override it to return the memory to a pool.
  virtual void destroy() noexcept { delete this; }

 private:
  mutable std::atomic<int32_t> refs_{1};
};

/// Owner of one reference to a RefCounted object.
template <class T>
class RefPtr {
 public:
  RefPtr() = default;
  RefPtr(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  RefPtr(const RefPtr& other) noexcept : object_(other.object_) {
    if (object_) object_->ref();
  }
  RefPtr(RefPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  RefPtr(RefPtr<U> other) noexcept : object_(other.release()) {}  // NOLINT(google-explicit-constructor)
  ~RefPtr() {
    if (object_) object_->unref();
  }
  RefPtr& operator=(RefPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  /// Takes over a reference that the caller owns.
  static RefPtr adopt(T* object) noexcept {
    RefPtr owner;
    owner.object_ = object;
    return owner;
  }
  /// Adds a reference, which the result owns.
  static RefPtr share(T* object) noexcept {
    if (object) object->ref();
    return adopt(object);
  }

  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }
  T* release() noexcept { return std::exchange(object_, nullptr); }
  void reset() noexcept { *this = RefPtr(); }

  friend bool operator==(const RefPtr& a, const RefPtr& b) { return a.object_ == b.object_; }
  friend bool operator!=(const RefPtr& a, const RefPtr& b) { return a.object_ != b.object_; }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
RefPtr<T> make_ref(Args&&... args) {
  return RefPtr<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace tinytf
