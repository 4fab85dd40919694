#include <array>
#include <atomic>
#include <random>
#include <string>

#include "services/resource_manager.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

class Counted final : public Resource {
 public:
  explicit Counted(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  std::string debug_string() const override { return "counted"; }

 private:
  ~Counted() override { --alive_; }
  std::atomic<int>& alive_;
};

TINYTF_TEST(resources_come_and_go) {
  std::atomic<int> alive{0};
  ResourceManager manager;
  on_threads(6, [&](int t) {
    std::mt19937 random(static_cast<uint32_t>(t));
    std::vector<RefPtr<Resource>> held(4);
    for (int i = 0; i < rounds(3000); ++i) {
      const std::string container = random() % 2 ? "a" : "b";
      const std::string name = std::to_string(random() % 8);
      switch (random() % 32) {
        case 0: manager.clear_container(container); break;
        case 1: manager.clear(); break;
        case 2:
        case 3:
        case 4:
        case 5: {
          const Status removed = manager.remove(container, "Counted", name);
          EXPECT(removed.ok() || removed.code() == Code::kNotFound);
          break;
        }
        default: {
          auto found = random() % 2
                           ? manager.find(container, "Counted", name)
                           : manager.find_or_create(container, "Counted", name, [&]() -> Result<RefPtr<Resource>> {
                               return RefPtr<Resource>(make_ref<Counted>(alive));
                             });
          EXPECT(found.ok() || found.status().code() == Code::kNotFound);
          if (!found.ok()) break;
          EXPECT_EQ(found.value()->debug_string(), std::string("counted"));
          held[random() % held.size()] = found.take();
        }
      }
    }
  });
  manager.clear();
  EXPECT_EQ(alive.load(), 0);
}

TINYTF_TEST(a_resource_is_made_once) {
  constexpr int kThreads = 8;
  ResourceManager manager;
  Barrier turn(kThreads);
  std::array<RefPtr<Resource>, kThreads> made;
  std::atomic<int> alive{0};
  on_threads(kThreads, [&](int t) {
    for (int round = 0; round < rounds(100); ++round) {
      const std::string name = std::to_string(round);
      made[t] =
          manager
              .find_or_create("c", "Counted", name,
                              [&]() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(make_ref<Counted>(alive)); })
              .take();
      turn.wait();
      EXPECT(made[t] == made[0]);
      if (t == 0) EXPECT_EQ(alive.load(), 1);
      turn.wait();
      made[t].reset();
      if (t == 0) EXPECT_OK(manager.remove("c", "Counted", name));
      turn.wait();
      if (t == 0) EXPECT_EQ(alive.load(), 0);
      turn.wait();
    }
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
