#pragma once

#include <algorithm>

#include "handles/session_core.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace testing {

constexpr CleanupStrategy kAllStrategies[] = {CleanupStrategy::kInBackground, CleanupStrategy::kOnSafePoints,
                                              CleanupStrategy::kOnSessionClose, CleanupStrategy::kImmediately};

/// A vector in process memory, so that it does not count for a core.
inline Tensor n_floats(int64_t n, float value = 0) {
  auto tensor = Tensor::allocate(Allocator::process(), DType::kFloat, Shape{n});
  TINYTF_CHECK(tensor.ok());
  std::fill_n(tensor.value().data<float>(), n, value);
  return tensor.take();
}

/// A core that is closed at the end, unless the test did it.
class OpenCore {
 public:
  explicit OpenCore(CleanupStrategy strategy) : OpenCore(with(strategy)) {}
  explicit OpenCore(const CoreOptions& options) : core_(make_ref<SessionCore>(options)) {}
  ~OpenCore() { EXPECT_OK(core_->close()); }
  OpenCore(const OpenCore&) = delete;
  OpenCore& operator=(const OpenCore&) = delete;

  SessionCore* get() const { return core_.get(); }
  SessionCore* operator->() const { return core_.get(); }
  SessionCore& operator*() const { return *core_; }

  static CoreOptions with(CleanupStrategy strategy) {
    CoreOptions options;
    options.strategy = strategy;
    return options;
  }

 private:
  RefPtr<SessionCore> core_;
};

/// Checks an invariant that holds whenever the core is idle.
inline void expect_balanced(const SessionCore& core) {
  const CoreStats stats = core.stats();
  EXPECT_EQ(stats.created, stats.live + stats.queued + stats.retained + stats.freed + stats.invalidated);
  EXPECT(stats.live >= 0 && stats.queued >= 0 && stats.retained >= 0);
}

}  // namespace testing
}  // namespace tinytf
