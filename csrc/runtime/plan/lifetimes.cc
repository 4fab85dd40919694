#include <algorithm>

#include "runtime/plan/program.h"
#include "runtime/plan/read_twice.h"

namespace tinytf {

namespace {

constexpr int32_t kNeverReleased = -2;  // Constants and fetched slots.
constexpr int32_t kUnused = -1;

/// The slots of a node's inputs.
class InputSlots {
 public:
  InputSlots(const Program& program, const PlanNode& node)
      : begin_(program.input_slots.data() + node.first_input), size_(node.info->inputs.size()) {}
  const int32_t* begin() const { return begin_; }
  const int32_t* end() const { return begin_ + size_; }
  size_t size() const { return size_; }
  int32_t operator[](size_t i) const { return begin_[i]; }

 private:
  const int32_t* begin_;
  size_t size_;
};

/// Removes constants that only folded nodes read.
void drop_unread_constants(Program& program) {
  std::vector<bool> read(program.slot_count, false);
  for (const auto* slots : {&program.input_slots, &program.fetch_slots}) {
    for (int32_t slot : *slots) read[slot] = true;
  }
  for (const PlanNode& node : program.not_finite) {
    for (int output = 0; output < node.num_outputs(); ++output) read[node.first_output + output] = true;
  }
  auto& constants = program.constants;
  constants.erase(std::remove_if(constants.begin(), constants.end(), [&](auto& c) { return !read[c.first]; }),
                  constants.end());
}

/// By slot: the last node that reads it in program order, or kNeverReleased or kUnused.
std::vector<int32_t> last_readers(const Program& program) {
  std::vector<int32_t> last(program.slot_count, kUnused);
  for (const auto& [slot, value] : program.constants) last[slot] = kNeverReleased;
  for (int32_t slot : program.fetch_slots) last[slot] = kNeverReleased;
  for (size_t n = 0; n < program.nodes.size(); ++n) {
    for (int32_t slot : InputSlots(program, program.nodes[n])) {
      if (last[slot] != kNeverReleased) last[slot] = static_cast<int32_t>(n);
    }
  }
  return last;
}

/// Determines the slots that node `n` releases, and the inputs that it may overwrite.
void find_releases(Program& program, size_t n, const std::vector<int32_t>& last_reader, std::vector<int32_t>& reads) {
  PlanNode& node = program.nodes[n];
  node.releases_begin = static_cast<int32_t>(program.releases.size());
  const InputSlots inputs(program, node);
  for (int32_t slot : inputs) ++reads[slot];
  for (size_t i = 0; i < inputs.size(); ++i) {
    const int32_t slot = inputs[i];
    const int32_t count = std::exchange(reads[slot], 0);  // 0: seen before, as another input.
    if (count == 0 || last_reader[slot] != static_cast<int32_t>(n)) continue;
    // A value that this node reads twice must in general not be overwritten before the node is done.
    if (i < 64 && (count == 1 || overwrites_operands(node))) node.last_use |= uint64_t{1} << i;
    program.releases.push_back(slot);
  }
  for (int output = 0; output < node.num_outputs(); ++output) {
    const int32_t slot = node.first_output + output;
    if (last_reader[slot] == kUnused) program.releases.push_back(slot);
  }
  node.releases_end = static_cast<int32_t>(program.releases.size());
}

}  // namespace

void find_lifetimes(Program& program) {
  drop_unread_constants(program);
  const std::vector<int32_t> last_reader = last_readers(program);
  std::vector<int32_t> reads(program.slot_count, 0);  // By the current node.
  for (size_t n = 0; n < program.nodes.size(); ++n) find_releases(program, n, last_reader, reads);
  // Feeds that no node reads and no fetch returns are never stored.
  for (int32_t& slot : program.feed_slots) {
    if (slot >= 0 && last_reader[slot] == kUnused) slot = -1;
  }
}

}  // namespace tinytf
