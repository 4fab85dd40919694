#include "handles/operations.h"

#include <atomic>
#include <future>
#include <memory>
#include <string>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

class CountedParts final : public SessionParts {
 public:
  CountedParts(std::atomic<int>& cancelled, bool& gone) : cancelled_(cancelled), gone_(gone) {}
  void cancel_background() override { cancelled_ += 10; }
  void stop_resources() override { cancelled_ += 100; }
  ~CountedParts() override { gone_ = true; }
  void cancel() override { ++cancelled_; }

 private:
  std::atomic<int>& cancelled_;
  bool& gone_;
};

/// Runs until it is released.
class HeldNode final : public AsyncQueue::Node {
 public:
  HeldNode(std::promise<void>& begun, std::shared_future<void> let_go) : begun_(begun), let_go_(std::move(let_go)) {}
  Status run() override {
    begun_.set_value();
    let_go_.wait();
    return Status();
  }
  void abandon(const Status&) override {}

 private:
  std::promise<void>& begun_;
  const std::shared_future<void> let_go_;
};

TINYTF_TEST(operations_cancel_and_let_go_of_parts) {
  CoreLock lock;
  std::atomic<int> cancelled{0};
  bool gone = false;
  CoreOperations operations(lock);
  operations.cancel();  // there are none
  operations.cancel_background();
  operations.stop_resources();
  operations.attach(make_ref<CountedParts>(cancelled, gone));
  EXPECT(operations.attached() != nullptr);
  operations.cancel();
  EXPECT_EQ(cancelled.load(), 1);
  operations.cancel_background();
  EXPECT_EQ(cancelled.load(), 11);
  operations.stop_resources();
  EXPECT_EQ(cancelled.load(), 111);
  operations.let_go_of_parts();
  EXPECT(gone);
  EXPECT(operations.attached() == nullptr);
}

TINYTF_TEST(operations_are_waited_for) {
  CoreLock lock;
  CoreOperations operations(lock);
  EXPECT_OK(operations.wait(Waiting(0)));  // there are none
  EXPECT(!operations.on_their_thread());
  EXPECT_EQ(operations.pending(), 0);
  std::promise<void> begun, let_go;
  EXPECT_OK(operations.async().push(std::make_unique<HeldNode>(begun, let_go.get_future().share())));
  begun.get_future().wait();
  EXPECT_EQ(operations.pending(), 1);
  const Status late = operations.wait(Waiting(5));
  EXPECT_EQ(late.message(), std::string("The session did not end within 5 ms: 1 asynchronous operations are pending."));
  let_go.set_value();
  EXPECT_OK(operations.wait(Waiting()));
  EXPECT_EQ(operations.pending(), 0);
  operations.close();
}

TINYTF_TEST(operations_that_come_after_a_cancellation_do_not_begin) {
  CoreLock lock;
  CoreOperations operations(lock);
  std::promise<void> begun, never, let_go;
  const std::shared_future<void> opened = let_go.get_future().share();
  EXPECT_OK(operations.async().push(std::make_unique<HeldNode>(begun, opened)));
  begun.get_future().wait();
  operations.cancel();
  EXPECT_OK(operations.async().push(std::make_unique<HeldNode>(never, opened)));
  EXPECT_EQ(operations.wait(Waiting(0)).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(operations.pending(), 1);  // the one that had started
  let_go.set_value();
  EXPECT_OK(operations.wait(Waiting()));
  operations.close();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
