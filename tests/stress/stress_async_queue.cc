#include <atomic>
#include <memory>
#include <vector>

#include "handles/async_queue.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Counts how nodes ended.
struct Ends {
  std::atomic<int> run{0}, abandoned{0};
};

class CountingNode final : public AsyncQueue::Node {
 public:
  CountingNode(Ends& ends, bool fails) : ends_(ends), fails_(fails) {}
  Status run() override {
    if (fails_) return internal_error("a failing operation");
    ++ends_.run;
    return Status();
  }
  void abandon(const Status&) override { ++ends_.abandoned; }

 private:
  Ends& ends_;
  const bool fails_;
};

TINYTF_TEST(every_asynchronous_operation_ends_once) {
  const int count = rounds(1000);
  const auto queue = make_ref<AsyncQueue>();
  Ends ends;
  std::atomic<int> pushed{0};
  on_threads(5, [&](int t) {
    for (int i = 0; i < count; ++i) {
      if (t == 0) {
        if (i % 10 == 0) queue->clear_error();
        if (i % 100 == 0) queue->cancel_pending();
      } else if (t == 1) {
        if (i % 10 == 0) (void)queue->synchronize(i % 20 == 0 ? 0 : -1);
      } else if (queue->push(std::make_unique<CountingNode>(ends, i % 200 == 0)).ok()) {
        ++pushed;
      }
    }
  });
  EXPECT_OK(queue->wait());
  queue->close();
  EXPECT_EQ(ends.run + ends.abandoned, pushed.load());
  EXPECT_EQ(queue->pending(), int64_t{0});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
