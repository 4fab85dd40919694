#include <atomic>
#include <thread>

#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

// Another thread changes index arrays while a step reads them, like a feeding thread that reuses its buffer: the step
// may fail or gather other rows, but must not access memory out of bounds.
namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

constexpr int64_t kRows = 64, kColumns = 16, kIndices = 16384, kFlipped = kIndices / 2;

Endpoint fed_indices(Graph& graph, DType dtype) {
  return {add(graph, "Placeholder", "indices", {}, {{"dtype", dtype}}), 0};
}

Tensor zeros(const Shape& shape) {
  Tensor tensor = Tensor::allocate(Allocator::process(), DType::kInt32, shape).take();
  std::fill_n(tensor.data<int32_t>(), tensor.num_elements(), 0);
  return tensor;
}

/// Runs the fetch with `indices` fed, while one element alternates between 0 and `other`.
void run_while_changing(const RefPtr<Graph>& graph, Endpoint fed, Endpoint fetch, const Tensor& indices,
                        int32_t other) {
  const auto session = threaded_session(graph);
  RunSignature signature;
  signature.feeds = {fed};
  signature.fetches = {fetch};
  EXPECT_OK(run(*session, signature, {indices}).status());
  std::atomic<bool> done{false};
  int32_t* const element = const_cast<Tensor&>(indices).data<int32_t>() + kFlipped;
  std::thread writer([&] {
    for (int32_t value = other; !done.load(std::memory_order_relaxed); value = other - value) {
      __atomic_store_n(element, value, __ATOMIC_RELAXED);
    }
  });
  for (int i = 0; i < rounds(300); ++i) {
    const auto result = run(*session, signature, {indices});
    EXPECT(result.ok() || result.status().code() == Code::kInvalidArgument);
  }
  done = true;
  writer.join();
}

struct Changing {
  RefPtr<Graph> graph = make_ref<Graph>();
  Endpoint fed = fed_indices(*graph, DType::kInt32);
  Endpoint rows = constant(*graph, "rows", filled(Shape({kRows, kColumns}), 1));
  Endpoint updates = constant(*graph, "updates", filled(Shape({kIndices, kColumns}), 1));
  Tensor ids = zeros(Shape({kIndices}));

  Endpoint scalar(const char* name, int32_t value) {
    Tensor tensor = zeros(Shape());
    *tensor.data<int32_t>() = value;
    return constant(*graph, name, std::move(tensor));
  }
  Endpoint op(const char* name, std::vector<Endpoint> inputs, std::vector<AttrMap::Item> attrs = {},
              std::vector<int> group_sizes = {}) {
    return {add(*graph, name, name, std::move(inputs), std::move(attrs), std::move(group_sizes)), 0};
  }
  void check(Endpoint fetch, int32_t other = 1'000'000'000) { run_while_changing(graph, fed, fetch, ids, other); }
};

TINYTF_TEST(gather_reads_indices_once) {
  Changing c;
  c.check(c.op("GatherV2", {c.rows, c.fed, c.scalar("axis", 0)}));
}

TINYTF_TEST(old_gather_reads_indices_once) {
  Changing c;
  c.check(c.op("Gather", {c.rows, c.fed}));
}

TINYTF_TEST(gather_of_strings_reads_indices_once) {
  Changing c;
  Tensor texts = Tensor::allocate(Allocator::process(), DType::kString, Shape({kRows})).take();
  c.check(c.op("GatherV2", {constant(*c.graph, "texts", std::move(texts)), c.fed, c.scalar("axis", 0)}));
}

TINYTF_TEST(gather_nd_reads_indices_once) {
  Changing c;
  c.ids = zeros(Shape({kIndices, 1}));
  c.check(c.op("GatherNd", {c.rows, c.fed}));
}

TINYTF_TEST(resource_gather_reads_indices_once) {
  Changing c;
  const std::vector<AttrMap::Item> type = {{"dtype", DType::kFloat}};
  const Endpoint handle = c.op("VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}});
  Node* assign = add(*c.graph, "AssignVariableOp", "assign", {handle, c.rows}, type);
  const Endpoint fetch = c.op("ResourceGather", {handle, c.fed}, type);
  c.graph->add_control_input(fetch.node, assign);
  c.check(fetch);
}

TINYTF_TEST(scatter_nd_reads_indices_once) {
  Changing c;
  c.ids = zeros(Shape({kIndices, 1}));
  Tensor shape = zeros(Shape({2}));
  shape.data<int32_t>()[0] = kRows;
  shape.data<int32_t>()[1] = kColumns;
  c.check(c.op("ScatterNd", {c.fed, c.updates, constant(*c.graph, "shape", std::move(shape))}));
}

TINYTF_TEST(resource_scatter_reads_indices_once) {
  Changing c;
  const std::vector<AttrMap::Item> type = {{"dtype", DType::kFloat}};
  const Endpoint handle = c.op("VarHandleOp", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape()}});
  Node* assign = add(*c.graph, "AssignVariableOp", "assign", {handle, c.rows}, type);
  Node* scatter = add(*c.graph, "ResourceScatterAdd", "scatter", {handle, c.fed, c.updates}, type);
  const Endpoint fetch = c.op("ReadVariableOp", {handle}, type);
  c.graph->add_control_input(scatter, assign);
  c.graph->add_control_input(fetch.node, scatter);
  c.check(fetch);
}

TINYTF_TEST(dynamic_partition_reads_partitions_once) {
  Changing c;
  c.check(c.op("DynamicPartition", {c.updates, c.fed}, {{"num_partitions", int64_t{2}}}));
  Changing inside;  // a valid partition without room
  inside.check(inside.op("DynamicPartition", {inside.updates, inside.fed}, {{"num_partitions", int64_t{2}}}), 1);
}

TINYTF_TEST(dynamic_stitch_reads_indices_once) {
  Changing c;
  c.check(c.op("DynamicStitch", {c.fed, c.updates}, {{"N", int64_t{1}}}, {1, 1}), 4096);
}

TINYTF_TEST(sparse_segments_read_indices_once) {
  for (const char* op : {"SparseSegmentSum", "SparseSegmentMean", "SparseSegmentSqrtN"}) {
    Changing c;
    c.check(c.op(op, {c.rows, c.fed, constant(*c.graph, "segments", zeros(Shape({kIndices})))}));
  }
}

TINYTF_TEST(gradients_of_sparse_segments_read_indices_once) {
  Changing c;
  const Endpoint segments = constant(*c.graph, "segments", zeros(Shape({kIndices})));
  c.check(c.op("SparseSegmentMeanGrad", {c.rows, c.fed, segments, c.scalar("count", kRows)}));
  Changing ids;
  const Endpoint indices = constant(*ids.graph, "from", zeros(Shape({kIndices})));
  ids.check(ids.op("SparseSegmentMeanGrad", {ids.rows, indices, ids.fed, ids.scalar("count", kRows)}));
}

TINYTF_TEST(segments_read_ids_once) {
  Changing sorted;
  sorted.check(sorted.op("SegmentSum", {sorted.updates, sorted.fed}));
  Changing unsorted;
  unsorted.check(unsorted.op("UnsortedSegmentSum", {unsorted.updates, unsorted.fed, unsorted.scalar("count", 8)}));
}

TINYTF_TEST(bincount_reads_values_once) {
  Changing c;
  Tensor weights = Tensor::allocate(Allocator::process(), DType::kFloat, Shape({0})).take();
  c.check(c.op("Bincount", {c.fed, c.scalar("size", 8), constant(*c.graph, "weights", std::move(weights))}));
  Changing below;
  Tensor none = Tensor::allocate(Allocator::process(), DType::kFloat, Shape({0})).take();
  below.check(
      below.op("Bincount", {below.fed, below.scalar("size", 8), constant(*below.graph, "weights", std::move(none))}),
      -1'000'000'000);
}

TINYTF_TEST(sparse_cross_entropy_reads_labels_once) {
  Changing c;
  c.check(c.op("SparseSoftmaxCrossEntropyWithLogits", {c.updates, c.fed}, {{"Tlabels", DType::kInt32}}));
}

TINYTF_TEST(lengths_of_sequences_are_read_once) {
  Changing c;
  const Endpoint reversed =
      c.op("ReverseSequence", {c.updates, c.fed}, {{"seq_dim", int64_t{1}}, {"batch_dim", int64_t{0}}});
  c.check(reversed);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
