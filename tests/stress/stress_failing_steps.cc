#include <limits>
#include <string>

#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

constexpr int kBranches = 12;
constexpr int64_t kSize = 8;

/// kBranches squares of x, each checked for NaN, then summed: kBranches · kSize · x² for a matrix of x.
struct CheckedBranches {
  CheckedBranches() {
    const Endpoint x = placeholder(*graph, "x");
    std::vector<Endpoint> checked;
    for (int i = 0; i < kBranches; ++i) {
      const std::string number = std::to_string(i);
      Node* square = add(*graph, "MatMul", "square" + number, {x, x}, {{"transpose_a", i % 2 == 1}});
      checked.push_back(
          {add(*graph, "CheckNumerics", "check" + number, {{square, 0}}, {{"message", "branch " + number}}), 0});
    }
    signature.feeds = {x};
    signature.fetches = {{add(*graph, "AddN", "sum", checked, {}, {kBranches}), 0}};
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature signature;
};

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// Threads run one plan; threads with an odd number feed NaN, which fails in all branches.
void fail_every_other(Session& session, const RunSignature& signature) {
  on_threads(6, [&](int t) {
    for (int step = 0; step < rounds(40); ++step) {
      const bool bad = t % 2 == 1;
      const float value = bad ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(step % 10);
      const auto fetched = run(session, signature, {filled(Shape({kSize, kSize}), value)});
      if (!bad) {
        EXPECT_OK(fetched.status());
        EXPECT(fetched.ok() && all_are(fetched.value()[0], kBranches * kSize * value * value));
        continue;
      }
      const std::string& message = fetched.status().message();
      EXPECT_EQ(fetched.status().code(), Code::kInvalidArgument);
      EXPECT_EQ(occurrences(message, " : Tensor had NaN values"), 1);
      EXPECT_EQ(occurrences(message, "{{node check"), 1);
      // The message and the node's tag come from the same node.
      const std::string branch = message.substr(7, message.find(' ', 7) - 7);
      EXPECT_EQ(occurrences(message, "{{node check" + branch + "}}"), 1);
    }
  });
}

TINYTF_TEST(failing_steps_leave_others_alone) {
  CheckedBranches branches;
  SessionOptions options;
  options.intra_op_threads = 1;
  fail_every_other(*make_ref<Session>(branches.graph, options), branches.signature);
}

TINYTF_TEST(failing_threaded_steps_leave_others_alone) {
  CheckedBranches branches;
  const auto session = threaded_session(branches.graph);
  force_threads(*session->plan(branches.signature).value());
  fail_every_other(*session, branches.signature);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
