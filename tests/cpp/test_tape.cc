#include "runtime/eager/tape.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using Values = std::vector<TapedValue>;

class Record final : public TapeRecord {
 public:
  explicit Record(int& alive) : TapeRecord(nullptr), alive_(alive) { ++alive_; }
  ~Record() override { --alive_; }

 private:
  int& alive_;
};

constexpr DType kFloat = DType::kFloat;

TINYTF_TEST(tape_remembers_what_watched_values_flow_through) {
  int alive = 0;
  Tape tape;
  tape.watch(1);
  tape.see(make_ref<Record>(alive), Values{{1, kFloat}, {2, kFloat}}, Values{{3, kFloat}});
  tape.see(make_ref<Record>(alive), Values{{2, kFloat}}, Values{{4, kFloat}});
  tape.see(make_ref<Record>(alive), Values{{3, kFloat}}, Values{{5, kFloat}, {6, DType::kInt32}});
  EXPECT_EQ(tape.records().size(), 2u);
  EXPECT(tape.watches(5) && !tape.watches(4) && !tape.watches(6));
  EXPECT_EQ(alive, 2);
  EXPECT_EQ(tape.clear().size(), 2u);
  EXPECT(!tape.watches(1) && tape.records().empty());
  EXPECT_EQ(alive, 0);
}

TINYTF_TEST(tape_lets_derivatives_flow_through_numbers_and_what_holds_them) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat, DType::kDouble, DType::kComplex64,
                            DType::kComplex128, DType::kResource, DType::kVariant}) {
    EXPECT(is_trainable(dtype));
  }
  for (const DType dtype : {DType::kInt32, DType::kBool, DType::kString}) EXPECT(!is_trainable(dtype));
  int alive = 0;
  Tape tape;
  tape.watch(1);
  tape.see(make_ref<Record>(alive), Values{{1, DType::kInt32}}, Values{{2, kFloat}});
  EXPECT(tape.records().empty());
}

TINYTF_TEST(tapes_that_record_are_counted) {
  const bool before = Tape::any_records();
  {
    Tape tape;
    tape.push();
    tape.push();
    tape.pop();
    EXPECT(tape.records_now() && Tape::any_records());
  }
  EXPECT_EQ(Tape::any_records(), before);
  Tape tape;
  tape.pop();
  EXPECT_EQ(Tape::any_records(), before);
}

TINYTF_TEST(tape_records_have_the_kernel) {
  int alive = 0;
  const auto record = make_ref<Record>(alive);
  EXPECT(record->kernel() == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
