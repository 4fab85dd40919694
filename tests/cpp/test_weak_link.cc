#include "base/weak_link.h"

#include <atomic>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

class Linked final : public RefCounted {
 public:
  explicit Linked(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  ~Linked() override { --alive_; }
  const RefPtr<WeakLink<Linked>>& link() const { return link_; }

 private:
  void destroy() noexcept override {
    if (link_->cut()) {
      delete this;
    } else {
      unref();
    }
  }

  std::atomic<int>& alive_;
  const RefPtr<WeakLink<Linked>> link_ = make_ref<WeakLink<Linked>>(*this);
};

TINYTF_TEST(weak_links_find_what_lives) {
  std::atomic<int> alive{0};
  auto object = make_ref<Linked>(alive);
  const RefPtr<WeakLink<Linked>> link = object->link();
  EXPECT(link->lock() == object);
  EXPECT(object->unique());
  RefPtr<Linked> found = link->lock();
  object.reset();
  EXPECT_EQ(alive.load(), 1);
  found.reset();
  EXPECT_EQ(alive.load(), 0);
  EXPECT(!link->lock());
}

TINYTF_TEST(weak_links_are_locked_while_the_object_goes) {
  for (int round = 0; round < 300; ++round) {
    std::atomic<int> alive{0}, found{0};
    std::atomic<bool> may_begin{false};
    auto object = make_ref<Linked>(alive);
    const RefPtr<WeakLink<Linked>> link = object->link();
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([&] {
        while (!may_begin) std::this_thread::yield();
        for (int k = 0; k < 50; ++k) {
          if (const RefPtr<Linked> locked = link->lock()) found += alive.load();
        }
      });
    }
    may_begin = true;
    object.reset();
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(alive.load(), 0);
    EXPECT(found.load() >= 0 && found.load() <= 100);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
