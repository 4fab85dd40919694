// Kernels run no long loop outside of `Parallel`, whose blocks are less than half of the whole, so that the work can be
// split; where it is split does not change the result.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/kernel_fixture.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::OpRunner;
using testing::tensor;

/// Runs loops block by block on one thread and adds up their estimated costs.
class CountingParallel final : public Parallel {
 public:
  int threads() const override { return 1; }
  void run(int64_t n, int64_t block, double cost, FunctionRef<void(int64_t, int64_t)> body) override {
    const double before = announced_;
    for (int64_t begin = 0; begin < n; begin += block) {
      const int64_t end = std::min(n, begin + block);
      announced_ = 0;
      body(begin, end);
      longest_ = std::max(longest_, static_cast<double>(end - begin) * cost - announced_);
    }
    announced_ = before + static_cast<double>(n) * cost;
  }
  void run_in_order(int64_t n, double cost, FunctionRef<void(int64_t, int64_t)> body) override {
    run(n, 1, cost, body);
  }

  /// Nanoseconds of all loops, without nested ones.
  double total() const { return announced_; }
  /// Nanoseconds of the longest block, without nested loops.
  double longest() const { return longest_; }

 private:
  double announced_ = 0, longest_ = 0;
};

constexpr int64_t kSize = 1 << 16;  // elements

template <class T>
Tensor filled(const Shape& shape, T value) {
  return tensor<T>(shape, std::vector<T>(static_cast<size_t>(shape.num_elements()), value));
}
/// Numbers in [0, limit) in scrambled order.
template <class T>
Tensor mixed(const Shape& shape, int64_t limit) {
  std::vector<T> values;
  for (int64_t i = 0; i < shape.num_elements(); ++i) values.push_back(static_cast<T>(i * 40503 % limit));
  return tensor<T>(shape, values);
}
Tensor floats(const Shape& shape = {kSize}) { return mixed<float>(shape, 251); }
Tensor texts(const Shape& shape = {kSize}) {
  std::vector<std::string> values;
  for (int64_t i = 0; i < shape.num_elements(); ++i) values.push_back("Some text " + std::to_string(i % 1000));
  return tensor<std::string>(shape, values);
}
template <class T>
Tensor scalar(T value) {
  return tensor<T>({}, {value});
}
template <class T>
Tensor vector_of(const std::vector<T>& values) {
  return tensor<T>({static_cast<int64_t>(values.size())}, values);
}

struct LongOp {
  const char* op;
  void (*make)(OpRunner&);
};

using Ints = std::vector<int64_t>;

const LongOp kLongOps[] = {
    {"Cumsum", [](OpRunner& op) { op.input(floats()).input(scalar(0)); }},
    {"Cumprod", [](OpRunner& op) { op.input(floats({1, kSize})).input(scalar(1)).attr("reverse", true); }},
    {"SegmentSum", [](OpRunner& op) { op.input(floats()).input(filled<int32_t>({kSize}, 0)); }},
    {"SegmentMean", [](OpRunner& op) { op.input(floats({kSize, 1})).input(filled<int64_t>({kSize}, 0)); }},
    {"SegmentMax",
     [](OpRunner& op) {
       std::vector<int32_t> ids(kSize);
       std::iota(ids.begin(), ids.end(), 0);
       op.input(floats()).input(vector_of(ids));
     }},
    {"UnsortedSegmentSum",
     [](OpRunner& op) { op.input(floats()).input(mixed<int32_t>({kSize}, kSize)).input(scalar<int32_t>(kSize)); }},
    {"UnsortedSegmentMax",
     [](OpRunner& op) { op.input(floats()).input(mixed<int64_t>({kSize}, 3)).input(scalar<int32_t>(3)); }},
    {"SparseSegmentSum",
     [](OpRunner& op) {
       op.input(floats({100})).input(mixed<int32_t>({kSize}, 100)).input(filled<int32_t>({kSize}, 0));
     }},
    {"SparseSegmentMeanGrad",
     [](OpRunner& op) {
       op.input(floats({100})).input(mixed<int32_t>({kSize}, 90)).input(mixed<int32_t>({kSize}, 99));
       op.input(scalar(90));
     }},
    {"ScatterNd",
     [](OpRunner& op) {
       op.input(mixed<int32_t>({kSize, 1}, kSize)).input(floats()).input(vector_of<int32_t>({kSize}));
     }},
    {"ScatterNd",
     [](OpRunner& op) { op.input(mixed<int32_t>({kSize, 1}, 9)).input(texts()).input(vector_of<int32_t>({9})); }},
    {"GatherNd", [](OpRunner& op) { op.input(floats()).input(mixed<int32_t>({kSize, 1}, kSize)); }},
    {"InvertPermutation", [](OpRunner& op) { op.input(mixed<int32_t>({kSize}, kSize)); }},
    {"Where", [](OpRunner& op) { op.input(mixed<bool>({kSize}, 2)); }},
    {"Unique", [](OpRunner& op) { op.input(mixed<int32_t>({kSize}, 50000)); }},
    {"UniqueWithCounts", [](OpRunner& op) { op.input(texts()); }},
    {"ListDiff", [](OpRunner& op) { op.input(mixed<double>({kSize}, 5000)).input(mixed<double>({100}, 300)); }},
    {"TopKV2", [](OpRunner& op) { op.input(floats()).input(scalar<int32_t>(100)); }},
    {"InTopKV2",
     [](OpRunner& op) { op.input(floats({1, kSize})).input(vector_of<int32_t>({7})).input(scalar<int32_t>(3)); }},
    {"ArgMax", [](OpRunner& op) { op.input(floats({kSize, 2})).input(scalar<int32_t>(0)); }},
    {"RandomShuffle", [](OpRunner& op) { op.input(floats()).attr("seed", int64_t{1}); }},
    {"Multinomial",
     [](OpRunner& op) { op.input(floats({1, kSize})).input(scalar<int32_t>(kSize)).attr("seed", int64_t{1}); }},
    {"Range", [](OpRunner& op) { op.input(scalar(0.f)).input(scalar<float>(kSize)).input(scalar(1.f)); }},
    {"LinSpace", [](OpRunner& op) { op.input(scalar(0.f)).input(scalar(1.f)).input(scalar<int32_t>(kSize)); }},
    {"Bincount",
     [](OpRunner& op) {
       op.input(mixed<int32_t>({kSize}, kSize)).input(scalar<int32_t>(kSize)).input(tensor<float>({0}, {}));
     }},
    {"Bucketize", [](OpRunner& op) { op.input(floats()).attr("boundaries", std::vector<float>{1, 10, 100}); }},
    {"HistogramFixedWidth",
     [](OpRunner& op) { op.input(floats()).input(vector_of<float>({0, 99})).input(scalar<int32_t>(20)); }},
    {"DynamicPartition",
     [](OpRunner& op) { op.input(floats()).input(mixed<int32_t>({kSize}, 3)).attr("num_partitions", int64_t{3}); }},
    {"DynamicStitch", [](OpRunner& op) { op.list({mixed<int32_t>({kSize}, kSize)}).list({floats()}); }},
    {"SparseDenseCwiseMul",
     [](OpRunner& op) {
       op.input(mixed<int64_t>({kSize, 1}, kSize)).input(floats()).input(vector_of<int64_t>({kSize})).input(floats());
     }},
    {"Cross", [](OpRunner& op) { op.input(floats({kSize, 3})).input(floats({kSize, 3})); }},
    {"ApproximateEqual", [](OpRunner& op) { op.input(floats()).input(floats()); }},
    {"CheckNumerics", [](OpRunner& op) { op.input(floats()).attr("message", std::string("m")); }},
    {"StringUpper", [](OpRunner& op) { op.input(texts()); }},
    {"StringLower", [](OpRunner& op) { op.input(texts()).attr("encoding", std::string("utf-8")); }},
    {"StringStrip", [](OpRunner& op) { op.input(texts()); }},
    {"StringLength", [](OpRunner& op) { op.input(texts()); }},
    {"StringJoin", [](OpRunner& op) { op.list({texts(), scalar<std::string>("a")}); }},
    {"StringFormat", [](OpRunner& op) { op.list({floats()}).attr("summarize", int64_t{-1}); }},
    {"AsString", [](OpRunner& op) { op.input(floats()); }},
    {"Equal", [](OpRunner& op) { op.input(texts()).input(scalar<std::string>("a")); }},
    {"SelectV2",
     [](OpRunner& op) { op.input(mixed<bool>({kSize}, 2)).input(texts()).input(scalar<std::string>("a")); }},
    {"Fill", [](OpRunner& op) { op.input(vector_of<int32_t>({kSize})).input(scalar<std::string>("a")); }},
    {"Transpose", [](OpRunner& op) { op.input(texts({256, 256})).input(vector_of<int32_t>({1, 0})); }},
    {"ConcatV2", [](OpRunner& op) { op.list({texts(), texts()}).input(scalar<int32_t>(0)); }},
    {"OneHot",
     [](OpRunner& op) {
       op.input(mixed<int32_t>({kSize}, 9)).input(scalar(9)).input(scalar<std::string>("a"));
       op.input(scalar<std::string>("b"));
     }},
    {"ReverseSequence",
     [](OpRunner& op) {
       op.input(floats({256, 256})).input(mixed<int64_t>({256}, 256)).attr("seq_dim", int64_t{0});
       op.attr("batch_dim", int64_t{1});
     }},
    {"SpaceToBatchND",
     [](OpRunner& op) {
       op.input(floats({1, 256, 256, 1}))
           .input(vector_of<int32_t>({16, 16}))
           .input(tensor<int32_t>({2, 2}, {0, 0, 0, 0}));
     }},
    {"Qr", [](OpRunner& op) { op.input(floats({60, 60})); }},
    {"Svd", [](OpRunner& op) { op.input(floats({40, 40})); }},
    {"MatrixTriangularSolve", [](OpRunner& op) { op.input(filled<float>({60, 60}, 1)).input(floats({60, 60})); }},
    {"MaxPoolGradWithArgmax",
     [](OpRunner& op) {
       op.input(floats({1, 256, 256, 1}))
           .input(floats({1, 256, 256, 1}))
           .input(mixed<int64_t>({1, 256, 256, 1}, kSize));
       op.attr("ksize", Ints{1, 1, 1, 1}).attr("strides", Ints{1, 1, 1, 1}).attr("padding", std::string("SAME"));
     }},
    {"AvgPoolGrad",
     [](OpRunner& op) {
       op.input(vector_of<int32_t>({1, 128, 128, 2})).input(floats({1, 128, 128, 2}));
       op.attr("ksize", Ints{1, 5, 5, 1}).attr("strides", Ints{1, 1, 1, 1}).attr("padding", std::string("SAME"));
     }},
    {"DepthwiseConv2dNativeBackpropInput",
     [](OpRunner& op) {
       op.input(vector_of<int32_t>({1, 64, 64, 16})).input(floats({5, 5, 16, 1})).input(floats({1, 64, 64, 16}));
       op.attr("strides", Ints{1, 1, 1, 1}).attr("padding", std::string("SAME"));
     }},
    {"DepthwiseConv2dNativeBackpropFilter",
     [](OpRunner& op) {
       op.input(floats({1, 64, 64, 16})).input(vector_of<int32_t>({5, 5, 16, 1})).input(floats({1, 64, 64, 16}));
       op.attr("strides", Ints{1, 1, 1, 1}).attr("padding", std::string("SAME"));
     }},
    {"Conv2D",
     [](OpRunner& op) {
       op.input(floats({1, 64, 64, 8})).input(floats({15, 15, 8, 32}));
       op.attr("strides", Ints{1, 1, 1, 1}).attr("padding", std::string("SAME"));
     }},
    {"Conv2DBackpropFilter",
     [](OpRunner& op) {
       op.input(floats({1, 64, 64, 64})).input(vector_of<int32_t>({1, 1, 64, 128})).input(floats({1, 64, 64, 128}));
       op.attr("strides", Ints{1, 1, 1, 1}).attr("padding", std::string("SAME"));
     }},
};

TINYTF_TEST(long_loops_go_through_parallel) {
  for (const LongOp& each : kLongOps) {
    OpRunner op(each.op);
    each.make(op);
    CountingParallel parallel;
    const Status status = op.parallel(parallel).run().status();
    if (!status.ok() || parallel.total() < 0.2 * kSize || parallel.longest() > parallel.total() / 2) {
      testing::fail(__FILE__, __LINE__,
                    str_cat(each.op, ": ", status.message(), " ", parallel.longest(), " of ", parallel.total(), " ns"));
    }
  }
}

bool same(const Tensor& a, const Tensor& b) {
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  if (a.dtype() == DType::kString) {
    return std::equal(a.data<std::string>(), a.data<std::string>() + a.num_elements(), b.data<std::string>());
  }
  return a.bytes() == 0 || std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

TINYTF_TEST(long_loops_may_be_cut_anywhere) {
  for (const LongOp& each : kLongOps) {
    OpRunner whole(each.op), cut(each.op);
    each.make(whole);
    each.make(cut);
    kernels::UnevenParallel parallel;
    const auto want = whole.run(), got = cut.parallel(parallel).run();
    bool good = want.ok() && got.ok() && want.value().size() == got.value().size();
    for (size_t i = 0; good && i < got.value().size(); ++i) good = same(want.value()[i], got.value()[i]);
    if (!good)
      testing::fail(__FILE__, __LINE__, str_cat(each.op, ": ", want.status().message(), got.status().message()));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
