#include <climits>
#include <random>

#include "data/iterator_server.h"
#include "tests/cpp/data_fixture.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using data::IteratorState;

Tensor of(int64_t value) { return Tensor::scalar(value); }

Tensor numbers(int64_t count) { return dataset_of_op("RangeDataset", {of(0), of(count), of(1)}); }

/// Datasets with stages inside stages, half way through which positions are saved.
std::vector<Tensor> pipelines() {
  const Tensor joined =
      dataset_of_op("ConcatenateDataset", {numbers(5), dataset_of_op("SkipDataset", {numbers(9), of(4)})});
  const Tensor repeated = dataset_of_op("RepeatDataset", {dataset_of_op("TakeDataset", {joined, of(7)}), of(3)});
  const Tensor ahead = dataset_of_op("PrefetchDataset", {repeated, of(3)});
  OpRunner zip("ZipDataset");
  zip.list({ahead, numbers(30)});
  zip.attr("output_types", std::vector<DType>(2, DType::kInt64));
  zip.attr("output_shapes", std::vector<PartialShape>(2, PartialShape::scalar()));
  const Tensor batches = dataset_of_op("BatchDataset", {ahead, of(4)}, PartialShape({kUnknownDim}));
  return {repeated, ahead, batches, zip.run().take()[0],
          dataset_of_op("PrefetchDataset", {batches, of(2)}, PartialShape({kUnknownDim}))};
}

/// A value that the key does not have.
Tensor damaged(const Tensor& value, std::mt19937& random) {
  static const int64_t kNumbers[] = {0, 1, -1, 2, 7, INT64_MAX, INT64_MIN, int64_t{1} << 40};
  switch (random() % 6) {
    case 0: return Tensor();
    case 1: return Tensor::scalar(std::string("x"));
    case 2: return Tensor::scalar(1.f);
    case 3: return tensor<int64_t>({0}, {});
    case 4: return tensor<int64_t>({2, 1}, {1, 2});
    default: return value.valid() && value.dtype() == DType::kInt64 ? of(kNumbers[random() % 8]) : of(0);
  }
}

void damage(IteratorState& state, std::mt19937& random) {
  for (uint32_t i = random() % 2 + 1; i > 0 && !state.empty(); --i) {
    auto entry = std::next(state.begin(), static_cast<std::ptrdiff_t>(random() % state.size()));
    if (random() % 4 == 0) {
      state.erase(entry);
    } else {
      entry->second = damaged(entry->second, random);
    }
  }
}

RefPtr<data::IteratorServer> server_of(const Tensor& dataset, const DataStep& step) {
  return data::IteratorServer::of(*data::dataset_of(dataset).value(), step.services).take();
}

/// Whether there is one more element.
bool take(data::IteratorServer& server, const DataStep& step) {
  Event done;
  bool is_element = false;
  testing::ask(server, step.services, [&](data::IteratorServer::Outcome outcome) {
    is_element = outcome.pulled.ok() && outcome.pulled.value() == data::Pulled::kElement;
    done.set();
  });
  done.wait();
  return is_element;
}

/// Restores a position, and pulls some elements if that succeeds.
void use(const Tensor& dataset, const IteratorState& state, BackgroundHost* host) {
  const DataStep step(host);
  const auto server = server_of(dataset, step);
  data::StateReader reader(state);
  const Status status = server->restore(step.services, reader);
  EXPECT(status.ok() || status.code() == Code::kDataLoss || status.code() == Code::kInvalidArgument);
  for (int i = 0; i < 40 && take(*server, step); ++i) continue;
  server->stop(/*waits=*/true);
}

TINYTF_TEST(damaged_positions_of_iterators_do_no_harm) {
  std::mt19937 random(1);
  const auto host = make_ref<OpenHost>();
  for (const Tensor& dataset : pipelines()) {
    for (int taken = 0; taken < 5; ++taken) {
      const DataStep step(host.get());
      const auto server = server_of(dataset, step);
      for (int i = 0; i < taken; ++i) EXPECT(take(*server, step));
      IteratorState state;
      data::StateWriter writer(state);
      EXPECT_OK(server->save(step.services, writer));
      server->stop(/*waits=*/true);
      use(dataset, state, host.get());
      for (int i = 0; i < rounds(40); ++i) {
        IteratorState changed = state;
        damage(changed, random);
        use(dataset, changed, host.get());
      }
    }
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
