#include "runtime/eager/eager_library.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "tests/cpp/eager_functions_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::calling;
using testing::EagerFixture;
using testing::graph_with;
using testing::library;
using testing::value_of_call;

bool has(const std::string& name) {
  const std::vector<std::string> names = library().names();
  return std::count(names.begin(), names.end(), name) == 1;
}

/// x → x * x.
std::shared_ptr<const FunctionBody> squaring() {
  testing::GraphFixture g;
  Node* x = g.placeholder("x");
  return testing::body_of(g, {{x, 0}}, {{g.add("Mul", "product", {{x, 0}, {x, 0}}), 0}});
}

TINYTF_TEST(functions_leave_the_eager_library_with_their_last_owner) {
  const size_t before = library().count();
  const RefPtr<Graph> graph = graph_with("owned", testing::doubling());
  EXPECT(!library().find("owned"));
  EXPECT_OK(library().add("owned", graph));
  EXPECT_OK(library().add("owned", graph));
  EXPECT(has("owned"));
  EXPECT_EQ(library().count(), before + 1);
  library().remove("owned");
  EXPECT(has("owned"));
  EXPECT(!library().find("owned")->has_left());
  const RefPtr<EagerFunction> kept = library().find("owned");
  library().remove("owned");
  EXPECT(!has("owned"));
  EXPECT(kept->has_left());
  library().remove("owned");  // there is none
  EXPECT_EQ(library().count(), before + 1);
}

TINYTF_TEST(names_of_the_eager_library_belong_to_one_function_at_a_time) {
  const size_t before = library().count();
  EXPECT_OK(library().add("renamed", graph_with("renamed", testing::doubling())));
  EXPECT_EQ(library().add("renamed", graph_with("renamed", squaring())).message(),
            "Cannot add function 'renamed' because a different function with the same name already exists.");
  EagerFixture session;
  {
    const RefPtr<EagerKernel> kernel = calling("renamed");
    EXPECT_EQ(value_of_call(session, *kernel, 3).value(), 6.0f);
    library().remove("renamed");
    EXPECT_OK(library().add("renamed", graph_with("renamed", squaring())));
    EXPECT_EQ(value_of_call(session, *kernel, 3).value(), 6.0f);  // it keeps its function
    EXPECT_EQ(value_of_call(session, *calling("renamed"), 3).value(), 9.0f);
    EXPECT_EQ(library().count(), before + 2);
  }
  library().remove("renamed");
  EXPECT_EQ(library().count(), before);
}

TINYTF_TEST(functions_may_leave_while_they_run) {
  const size_t before = library().count();
  EagerFixture session;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = str_cat("passing_", t % 2, "_", i);
        if (!library().add(name, graph_with(name, testing::doubling())).ok()) continue;  // of the other thread
        const RefPtr<EagerKernel> kernel = calling(name);
        library().remove(name);
        wrong += value_of_call(session, *kernel, 2).value() != 4;
        wrong += value_of_call(session, *kernel, 3).value() != 6;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_EQ(library().count(), before);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
