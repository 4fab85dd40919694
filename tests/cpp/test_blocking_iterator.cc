#include "data/blocking_iterator.h"

#include <thread>

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::number_of;
using testing::OpenHost;
using testing::Script;
using testing::scripted;

TINYTF_TEST(a_blocking_iterator_yields_all_elements) {
  Script script(3);
  const auto host = make_ref<OpenHost>();
  const DataStep step(host.get());
  BlockingIterator iterator(step.services);
  EXPECT_OK(iterator.start(*scripted(script)));
  Element element;
  for (int64_t i = 0; i < 3; ++i) {
    EXPECT(iterator.next(element).value());
    EXPECT_EQ(number_of(element), i);
  }
  EXPECT(!iterator.next(element).value());
  EXPECT(!iterator.next(element).value());
  EXPECT(iterator.context().tasks.host().get() == host.get());
}

TINYTF_TEST(a_blocking_iterator_waits_until_it_is_woken) {
  Script script(3);
  script.hold(0);
  const auto host = make_ref<OpenHost>();
  const DataStep step(host.get());
  BlockingIterator iterator(step.services);
  EXPECT_OK(iterator.start(*scripted(script)));
  std::thread other([&] {
    script.wait_until_pending(1);
    script.release();
  });
  Element element;
  EXPECT(iterator.next(element).value());
  EXPECT_EQ(number_of(element), 0);
  other.join();
  // A wake before the wait counts.
  script.hold(1);
  std::thread both([&] {
    script.wait_until_pending(2);
    script.release();
  });
  EXPECT(iterator.next(element).value());
  EXPECT_EQ(number_of(element), 1);
  both.join();
}

TINYTF_TEST(a_blocking_iterator_needs_no_thread_of_the_pool) {
  const testing::BusyPool busy;
  const auto host = make_ref<OpenHost>();
  const DataStep step(host.get());
  const Tensor range = testing::dataset_of_op(
      "RangeDataset", {Tensor::scalar(int64_t{0}), Tensor::scalar(int64_t{5}), Tensor::scalar(int64_t{1})});
  const Tensor prefetched = testing::dataset_of_op("PrefetchDataset", {range, Tensor::scalar(int64_t{1})});
  BlockingIterator iterator(step.services);
  EXPECT_OK(iterator.start(*dataset_of(prefetched).take()));
  Element element;
  for (int64_t i = 0; i < 5; ++i) {
    EXPECT(iterator.next(element).value());
    EXPECT_EQ(number_of(element), i);
  }
  EXPECT(!iterator.next(element).value());
}

TINYTF_TEST(a_blocking_iterator_ends_with_its_step) {
  Script script(3);
  script.hold(0);
  const auto host = make_ref<OpenHost>();
  DataStep step(host.get());
  BlockingIterator iterator(step.services);
  EXPECT_OK(iterator.start(*scripted(script)));
  std::thread other([&] {
    script.wait_until_pending(1);
    step.cancellation.cancel();
  });
  Element element;
  EXPECT_EQ(iterator.next(element).status().code(), Code::kCancelled);
  other.join();
  EXPECT_EQ(iterator.next(element).status().code(), Code::kCancelled);
}

TINYTF_TEST(a_blocking_iterator_passes_errors_on) {
  Script script(2);
  script.errors[0] = invalid_argument("bad");
  const DataStep step;
  BlockingIterator iterator(step.services);
  EXPECT_OK(iterator.start(*scripted(script)));
  Element element;
  EXPECT_EQ(iterator.next(element).status().message(), "bad");
  EXPECT(iterator.next(element).value());
}

TINYTF_TEST(tasks_end_with_their_blocking_iterator) {
  Script script(2);
  const auto host = make_ref<OpenHost>();
  const DataStep step(host.get());
  testing::Event begun;
  std::atomic<bool> has_ended{false};
  {
    BlockingIterator iterator(step.services);
    EXPECT_OK(iterator.start(*scripted(script)));
    const auto task = [&](const KernelServices& services) {
      begun.set();
      while (!services.cancellation->cancelled()) std::this_thread::yield();
      has_ended = true;
      return Status();
    };
    EXPECT_OK(iterator.context().tasks.work().start(*host, task, [](const Status&) {}));
    begun.wait();
  }
  EXPECT(has_ended.load());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
