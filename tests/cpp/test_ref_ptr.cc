#include "base/ref_ptr.h"

#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

class Counted : public RefCounted {
 public:
  explicit Counted(int& alive) : alive_(alive) { ++alive_; }
  ~Counted() override { --alive_; }

 private:
  int& alive_;
};

class Derived final : public Counted {
 public:
  using Counted::Counted;
};

TINYTF_TEST(ref_ptr_frees_with_the_last_owner) {
  int alive = 0;
  {
    RefPtr<Counted> a = make_ref<Counted>(alive);
    EXPECT(a->unique());
    RefPtr<Counted> b = a;
    EXPECT(!a->unique());
    EXPECT(a == b);
    a.reset();
    EXPECT(!a);
    EXPECT(b->unique());
    EXPECT_EQ(alive, 1);
    const RefPtr<Counted>& same = b;
    b = same;
    EXPECT_EQ(alive, 1);
    b = nullptr;
    EXPECT_EQ(alive, 0);
  }
  EXPECT_EQ(alive, 0);
}

TINYTF_TEST(ref_ptr_moves_converts_and_shares) {
  int alive = 0;
  RefPtr<Derived> derived = make_ref<Derived>(alive);
  RefPtr<Counted> shared = RefPtr<Counted>::share(derived.get());
  EXPECT(!derived->unique());
  RefPtr<Counted> base = std::move(derived);
  EXPECT(!derived);  // NOLINT(bugprone-use-after-move)
  EXPECT(base == shared);
  Counted* raw = base.release();
  RefPtr<Counted> adopted = RefPtr<Counted>::adopt(raw);
  shared.reset();
  EXPECT(adopted->unique());
  adopted.reset();
  EXPECT_EQ(alive, 0);
}

TINYTF_TEST(ref_ptr_counts_from_many_threads) {
  int alive = 0;
  {
    RefPtr<Counted> object = make_ref<Counted>(alive);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([object] {
        for (int i = 0; i < 10000; ++i) RefPtr<Counted> copy = object;
      });
    }
    for (std::thread& thread : threads) thread.join();
    threads.clear();
    EXPECT(object->unique());
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
