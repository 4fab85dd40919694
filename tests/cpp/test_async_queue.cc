#include "handles/async_queue.h"

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <future>
#include <string>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// The outcomes of a test's nodes. Read it after the queue has ended them.
struct Log {
  std::vector<int> ran;
  std::vector<int> abandoned;
  std::vector<Code> codes;
};

class LoggedNode final : public AsyncQueue::Node {
 public:
  LoggedNode(Log& log, int number, std::function<Status()> body = nullptr, bool wanted = true)
      : log_(log), number_(number), body_(std::move(body)), wanted_(wanted) {}
  Status run() override {
    log_.ran.push_back(number_);
    return body_ ? body_() : Status();
  }
  void abandon(const Status& status) override {
    log_.abandoned.push_back(number_);
    log_.codes.push_back(status.code());
  }
  bool wanted() const override { return wanted_; }

 private:
  Log& log_;
  const int number_;
  const std::function<Status()> body_;
  const bool wanted_;
};

/// A queue whose thread waits in its first node until `open`.
struct HeldQueue {
  HeldQueue() {
    EXPECT_OK(queue->push(std::make_unique<LoggedNode>(log, 0, [this] {
      entered.set_value();
      opened.get_future().wait();
      return first;
    })));
    entered.get_future().wait();
  }
  ~HeldQueue() { queue->close(); }
  Status push(int number, bool wanted = true) {
    return queue->push(std::make_unique<LoggedNode>(log, number, nullptr, wanted));
  }
  void open() { opened.set_value(); }

  Log log;
  Status first;  // status of the first node
  std::promise<void> entered, opened;
  const RefPtr<AsyncQueue> queue = make_ref<AsyncQueue>();
};

TINYTF_TEST(async_queue_runs_in_order) {
  Log log;
  const auto queue = make_ref<AsyncQueue>();
  std::vector<int> expected;
  for (int i = 0; i < 100; ++i) {
    EXPECT_OK(queue->push(std::make_unique<LoggedNode>(log, i)));
    expected.push_back(i);
  }
  EXPECT_OK(queue->synchronize());
  EXPECT(log.ran == expected);
  EXPECT_EQ(queue->pending(), 0);
  queue->close();
  EXPECT_EQ(queue->push(std::make_unique<LoggedNode>(log, 1)).code(), Code::kCancelled);
  EXPECT(log.abandoned.empty());
}

TINYTF_TEST(async_queue_error_ends_what_is_queued_and_what_comes_later) {
  HeldQueue held;
  held.first = invalid_argument("bad");
  for (int i = 1; i <= 3; ++i) EXPECT_OK(held.push(i));
  EXPECT_EQ(held.queue->pending(), 4);
  held.open();
  EXPECT_EQ(held.queue->synchronize().code(), Code::kInvalidArgument);
  EXPECT(held.log.ran == (std::vector<int>{0}));
  EXPECT(held.log.abandoned == (std::vector<int>{0, 1, 2, 3}));
  for (const Code code : held.log.codes) EXPECT_EQ(code, Code::kInvalidArgument);
  EXPECT_EQ(held.push(4).message(), std::string("bad"));
  EXPECT_EQ(held.queue->pending(), 0);
  held.queue->clear_error();
  EXPECT_OK(held.push(5));
  EXPECT_OK(held.queue->synchronize());
  EXPECT(held.log.ran == (std::vector<int>{0, 5}));
}

TINYTF_TEST(async_queue_cancels_what_has_not_begun) {
  HeldQueue held;
  for (int i = 1; i <= 3; ++i) EXPECT_OK(held.push(i));
  held.queue->cancel_pending();
  EXPECT(held.log.abandoned == (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(held.log.codes[0], Code::kCancelled);
  EXPECT_EQ(held.queue->pending(), 1);
  EXPECT_OK(held.push(4));
  held.open();
  EXPECT_OK(held.queue->synchronize());
  EXPECT(held.log.ran == (std::vector<int>{0, 4}));
}

TINYTF_TEST(async_queue_skips_what_nobody_wants) {
  HeldQueue held;
  EXPECT_OK(held.push(1, /*wanted=*/false));
  EXPECT_OK(held.push(2));
  held.open();
  EXPECT_OK(held.queue->synchronize());
  EXPECT(held.log.ran == (std::vector<int>{0, 2}));
  EXPECT(held.log.abandoned == (std::vector<int>{1}));
  EXPECT_EQ(held.log.codes[0], Code::kCancelled);
  EXPECT_EQ(held.queue->skipped(), 1);
}

TINYTF_TEST(async_queue_waits_no_longer_than_it_may) {
  HeldQueue held;
  EXPECT_EQ(held.queue->synchronize(0).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(held.queue->synchronize(30).code(), Code::kDeadlineExceeded);
  int looks = 0;
  EXPECT_EQ(held.queue->synchronize(-1, [&] { return ++looks == 2; }).code(), Code::kCancelled);
  EXPECT_EQ(looks, 2);
  held.open();
  EXPECT_OK(held.queue->synchronize());
}

TINYTF_TEST(async_queue_does_not_wait_for_itself) {
  Log log;
  const auto queue = make_ref<AsyncQueue>();
  Status inside;
  bool on_its_thread = false;
  EXPECT_OK(queue->push(std::make_unique<LoggedNode>(log, 0, [&] {
    inside = queue->synchronize();
    on_its_thread = queue->on_its_thread();
    return queue->push(std::make_unique<LoggedNode>(log, 1));
  })));
  EXPECT_OK(queue->synchronize());
  EXPECT_OK(queue->synchronize());
  EXPECT_EQ(inside.code(), Code::kFailedPrecondition);
  EXPECT(on_its_thread && !queue->on_its_thread());
  EXPECT(log.ran == (std::vector<int>{0, 1}));
  queue->close();
}

TINYTF_TEST(async_queue_that_was_let_go_ends_after_its_nodes) {
  static std::promise<void> done;
  auto log = std::make_unique<Log>();
  {
    const auto queue = make_ref<AsyncQueue>();
    EXPECT_OK(queue->push(std::make_unique<LoggedNode>(*log, 0)));
    EXPECT_OK(queue->push(std::make_unique<LoggedNode>(*log, 1, [] {
      done.set_value();
      return Status();
    })));
    queue->let_go();
  }
  done.get_future().wait();
  EXPECT(log->ran == (std::vector<int>{0, 1}));
}

#ifndef __SANITIZE_THREAD__  // TSan ends children that start threads: see core_fixture.h
TINYTF_TEST(async_queue_goes_on_in_a_forked_child) {
  Log log;
  const auto queue = make_ref<AsyncQueue>();
  EXPECT_OK(queue->push(std::make_unique<LoggedNode>(log, 0)));
  EXPECT_OK(queue->synchronize());
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    bool fine = queue->push(std::make_unique<LoggedNode>(log, 1)).ok() && queue->synchronize().ok();
    queue->close();
    _exit(fine && log.ran.size() == 2 ? 3 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  EXPECT_EQ(log.ran.size(), size_t{1});
  queue->close();
}
#endif

}  // namespace TINYTF_FILE
}  // namespace tinytf
