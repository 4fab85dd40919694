#include "data/pipeline_tasks.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using data::PipelineTasks;
using testing::OpenHost;

TINYTF_TEST(the_host_of_a_pipeline_is_the_last_one) {
  const auto first = make_ref<OpenHost>(), second = make_ref<OpenHost>();
  const auto tasks = make_ref<PipelineTasks>();
  EXPECT(!tasks->host());
  for (OpenHost* host : {first.get(), second.get(), second.get()}) {
    tasks->set_host(host);
    EXPECT(tasks->host().get() == host);
  }
  tasks->set_host(nullptr);
  EXPECT(!tasks->host());
}

/// Uses its pipeline when it is destroyed.
class LateHost final : public BackgroundHost {
 public:
  explicit LateHost(PipelineTasks& tasks) : tasks_(tasks) {}
  bool run(Cancellation&, FunctionRef<void(const KernelServices&)>) override { return false; }

 private:
  ~LateHost() override { EXPECT(!tasks_.host()); }
  PipelineTasks& tasks_;
};

TINYTF_TEST(a_host_is_destroyed_without_the_lock_of_the_pipeline) {
  const auto tasks = make_ref<PipelineTasks>();
  tasks->set_host(make_ref<LateHost>(*tasks).get());
  tasks->set_host(nullptr);
}

/// A number that the iterators of a place share.
class Shared final : public data::SharedState {
 public:
  Status save(data::StateWriter& state) const override {
    state.put_int("number", number);
    return Status();
  }
  Status restore(const data::StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(number, state.get_int("number"));
    return Status();
  }
  int64_t number = 0;
};

RefPtr<Shared> shared_at(PipelineTasks& tasks, uint64_t place, int levels) {
  const auto make = [](const data::IteratorState* saved) -> Result<RefPtr<data::SharedState>> {
    auto made = make_ref<Shared>();
    if (saved != nullptr) TINYTF_RETURN_IF_ERROR(made->restore(data::StateReader(*saved)));
    return RefPtr<data::SharedState>(std::move(made));
  };
  const auto state = tasks.shared_state(place, levels, make).take();
  return RefPtr<Shared>::share(static_cast<Shared*>(state.get()));
}

TINYTF_TEST(iterators_at_one_place_share_a_state) {
  const auto tasks = make_ref<PipelineTasks>();
  EXPECT(shared_at(*tasks, 5, 1).get() == shared_at(*tasks, 5, 1).get());
  EXPECT(shared_at(*tasks, 5, 1).get() != shared_at(*tasks, 5, 2).get());
  EXPECT(shared_at(*tasks, 5, 1).get() != shared_at(*tasks, 6, 1).get());
}

TINYTF_TEST(shared_states_are_restored_whenever_they_are_made) {
  const auto tasks = make_ref<PipelineTasks>();
  shared_at(*tasks, UINT64_MAX, 1)->number = 3;
  shared_at(*tasks, 2, 1)->number = 4;
  data::IteratorState state;
  data::StateWriter writer(state);
  EXPECT_OK(tasks->save_shared(writer));
  const auto other = make_ref<PipelineTasks>();
  const RefPtr<Shared> made = shared_at(*other, 2, 1);
  EXPECT_OK(other->restore_shared(data::StateReader(state)));
  EXPECT_EQ(made->number, 4);
  data::IteratorState again;
  data::StateWriter writer_again(again);
  EXPECT_OK(other->save_shared(writer_again));  // The one that is not made is kept.
  EXPECT_EQ(again.size(), state.size());
  EXPECT_EQ(shared_at(*other, UINT64_MAX, 1)->number, 3);
  EXPECT_EQ(shared_at(*other, 9, 1)->number, 0);
}

TINYTF_TEST(damaged_shared_states) {
  const auto tasks = make_ref<PipelineTasks>();
  for (const Tensor& places : {Tensor::scalar(int64_t{1}), testing::tensor<int64_t>({1, 2}, {1, -1}),
                               testing::tensor<int64_t>({2, 1}, {1, 1}), Tensor::scalar(1.f)}) {
    const data::IteratorState state = {{"places", places}};
    EXPECT_EQ(tasks->restore_shared(data::StateReader(state)).code(), Code::kDataLoss);
  }
  const data::IteratorState none;
  EXPECT_EQ(tasks->restore_shared(data::StateReader(none)).code(), Code::kDataLoss);
}

TINYTF_TEST(held_objects_are_released_together) {
  const auto tasks = make_ref<PipelineTasks>();
  const auto object = std::make_shared<int>(1);
  tasks->hold(object);
  tasks->hold(object);
  EXPECT_EQ(object.use_count(), 3);
  tasks->release_held();
  EXPECT_EQ(object.use_count(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
