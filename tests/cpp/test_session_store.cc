#include "services/session_store.h"

#include <set>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(session_store_keeps_tensors_by_handle) {
  const auto store = make_ref<SessionStore>();
  const std::string one = store->put("scope/node", "/device:CPU:0", Tensor::scalar(1.0f));
  const std::string two = store->put("scope/node", "/device:CPU:0", Tensor::scalar(2.0f));
  EXPECT_EQ(one, "scope/node;0;/device:CPU:0");
  EXPECT_EQ(two, "scope/node;1;/device:CPU:0");
  EXPECT_EQ(*store->get(one).data<float>(), 1.0f);
  EXPECT_EQ(*store->get(two).data<float>(), 2.0f);
  EXPECT(!store->get("scope/node;2;/device:CPU:0").valid());
  EXPECT_EQ(store->debug_string(), "SessionStore");
}

TINYTF_TEST(session_store_lets_go_of_what_is_removed) {
  const auto store = make_ref<SessionStore>();
  Tensor mine = Tensor::scalar(1.0f);
  const std::string handle = store->put("node", "", mine);
  EXPECT(!mine.buffer()->unique());
  EXPECT_EQ(store->remove(handle).raw(), mine.raw());
  EXPECT(mine.buffer()->unique());
  EXPECT(!store->remove(handle).valid() && !store->get(handle).valid());
  EXPECT(store->put("node", "", mine) != handle);  // names are not reused
}

TINYTF_TEST(session_store_serves_many_threads) {
  const auto store = make_ref<SessionStore>();
  std::vector<std::set<std::string>> handles(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < handles.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int32_t i = 0; i < 200; ++i) {
        const std::string handle = store->put("node", "", Tensor::scalar(i));
        EXPECT_EQ(*store->get(handle).data<int32_t>(), i);
        if (i % 2 == 0) EXPECT(store->remove(handle).valid());
        handles[t].insert(handle);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> all;
  for (const auto& some : handles) all.insert(some.begin(), some.end());
  EXPECT_EQ(all.size(), size_t{800});
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
