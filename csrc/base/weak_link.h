#pragma once

#include <mutex>

#include "base/ref_ptr.h"

namespace tinytf {

/// Finds an object as long as it lives, without keeping it alive. The object owns a reference to its link, and
/// overrides destroy():
///
///   void destroy() noexcept override { if (link_->cut()) delete this; else unref(); }
///
/// Thread-safe.
template <class T>
class WeakLink final : public RefCounted {
 public:
  explicit WeakLink(T& object) : object_(&object) {}

  /// The object; null once it is being destroyed.
  RefPtr<T> lock() const noexcept {
    std::lock_guard lock(mutex_);
    return object_ != nullptr && object_->ref_unless_gone() ? RefPtr<T>::adopt(object_) : RefPtr<T>();
  }
  /// Called by destroy(). False if lock() has given out a reference meanwhile: then the object lives on, and the caller
  /// has to drop its own reference again.
  bool cut() noexcept {
    std::lock_guard lock(mutex_);
    if (object_->is_shared()) return false;
    object_ = nullptr;
    return true;
  }

 private:
  mutable std::mutex mutex_;  // Held briefly, and never together with another lock.
  T* object_;
};

}  // namespace tinytf
