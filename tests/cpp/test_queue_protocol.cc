// Explores all interleavings of the atomic operations of pushers, the reaper and close, in a model of MpscQueue and
// Reaper. The model is sequentially consistent, like the operations that matter.

#include <array>
#include <set>
#include <string>
#include <vector>

#include "base/mpsc_queue.h"
#include "handles/reaper.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

constexpr int8_t kNone = -1, kClosed = -2;  // values of the queue's head that are not items
constexpr int kMostItems = 6, kPushers = 2;

enum class Flaw { kNone, kNoSecondLook, kNoWakeAfterPush, kCloseBeforeReaperEnds };

struct Model {
  int items_each = 3;
  bool closes = true;
  Flaw flaw = Flaw::kNone;
};

/// The shared state and the position of each thread, in plain bytes, so that states can be compared.
struct State {
  std::array<int8_t, kMostItems> stack{};  // the queue, newest last
  int8_t size = 0;
  bool closed = false, asleep = false, stop = false, reaper_ended = false, closer_ended = false;
  int8_t posts = 0;
  std::array<int8_t, kMostItems> freed{};
  struct Pusher {
    int8_t at = 0, pushed = 0, seen = kNone;
  } pushers[kPushers];
  struct Taker {
    int8_t at = 0, seen = kNone, taken = 0;
    std::array<int8_t, kMostItems> batch{};
  } reaper, closer;

  int8_t head() const { return closed ? kClosed : size == 0 ? kNone : stack[static_cast<size_t>(size - 1)]; }
  void take(Taker& taker) {
    taker.batch = stack;
    taker.taken = size;
    stack = {};
    size = 0;
  }
  void free(Taker& taker) {
    for (int8_t i = 0; i < taker.taken; ++i) ++freed[static_cast<size_t>(taker.batch[static_cast<size_t>(i)])];
    taker.batch = {};
    taker.taken = 0;
  }
  std::string key() const {
    std::string key;
    const auto add = [&](const auto& bytes) { key.append(bytes.begin(), bytes.end()); };
    add(stack), add(freed), add(reaper.batch), add(closer.batch);
    for (const int value :
         {int{size}, int{closed}, int{asleep}, int{stop}, int{reaper_ended}, int{closer_ended}, int{posts},
          int{reaper.at}, int{reaper.seen}, int{reaper.taken}, int{closer.at}, int{closer.seen}, int{closer.taken}}) {
      key.push_back(static_cast<char>(value));
    }
    for (const Pusher& pusher : pushers) {
      for (const int8_t value : {pusher.at, pusher.pushed, pusher.seen}) key.push_back(static_cast<char>(value));
    }
    return key;
  }
};

/// One operation of pusher `p`; false if it has ended.
bool step_pusher(const Model& model, State& s, int p) {
  State::Pusher& me = s.pushers[p];
  if (me.pushed == model.items_each) return false;
  const auto item = static_cast<int8_t>(p * model.items_each + me.pushed);
  const auto next_item = [&] { me = {0, static_cast<int8_t>(me.pushed + 1), kNone}; };
  switch (me.at) {
    case 0:  // head_.load
      me.seen = s.head();
      me.at = 1;
      return true;
    case 1:  // head_.compare_exchange, unless closed
      if (me.seen == kClosed) {
        ++s.freed[static_cast<size_t>(item)];
        next_item();
      } else if (s.head() != me.seen) {
        me.seen = s.head();
      } else {
        s.stack[static_cast<size_t>(s.size++)] = item;
        const bool first = me.seen == kNone;
        if (first && model.flaw != Flaw::kNoWakeAfterPush) {
          me.at = 2;
        } else {
          next_item();
        }
      }
      return true;
    case 2:  // rest_.load
      if (s.asleep) {
        me.at = 3;
      } else {
        next_item();
      }
      return true;
    default:  // rest_.compare_exchange, and sem_post if it ended the rest
      if (s.asleep) {
        s.asleep = false;
        ++s.posts;
      }
      next_item();
      return true;
  }
}

/// One operation of the reaper; false if it has ended or sleeps.
bool step_reaper(const Model& model, State& s) {
  State::Taker& me = s.reaper;
  switch (me.at) {
    case 0:  // the loop's condition
      me.at = s.stop ? 8 : 1;
      return true;
    case 1:  // head_.load
      me.seen = s.head();
      me.at = me.seen == kNone || me.seen == kClosed ? 4 : 2;
      return true;
    case 2:  // head_.compare_exchange
      if (s.head() == me.seen) {
        s.take(me);
        me.at = 3;
      } else {
        me.at = 1;
      }
      return true;
    case 3: s.free(me), me.at = 0; return true;
    case 4: s.asleep = true, me.at = model.flaw == Flaw::kNoSecondLook ? 6 : 5; return true;
    case 5:  // told_to_stop, then nothing_queued: two operations, the second of which may see more
      me.at = s.stop ? 7 : 9;
      return true;
    case 9: me.at = s.head() == kNone || s.head() == kClosed ? 6 : 7; return true;
    case 6:  // sem_wait
      if (s.posts == 0) return false;
      --s.posts, me.at = 7;
      return true;
    case 7: s.asleep = false, me.at = 0; return true;
    default:
      if (s.reaper_ended) return false;
      s.reaper_ended = true;
      return true;
  }
}

bool step_closer(const Model& model, State& s) {
  State::Taker& me = s.closer;
  if (!model.closes) return false;
  switch (me.at) {
    case 0: s.stop = true, me.at = 1; return true;
    case 1: me.at = s.asleep ? 2 : 3; return true;
    case 2:
      if (s.asleep) s.asleep = false, ++s.posts;
      me.at = 3;
      return true;
    case 3:  // join
      if (!s.reaper_ended && model.flaw != Flaw::kCloseBeforeReaperEnds) return false;
      me.at = 4;
      return true;
    case 4: s.take(me), s.closed = true, me.at = 5; return true;
    case 5: s.free(me), me.at = 6; return true;
    default:
      if (s.closer_ended) return false;
      s.closer_ended = true;
      return true;
  }
}

/// The fault of a final state, in which no thread can proceed; empty if there is none.
std::string fault_at_end(const Model& model, const State& s) {
  for (const State::Pusher& pusher : s.pushers) {
    if (pusher.pushed != model.items_each) return "a pusher waits";
  }
  if (model.closes && !s.closer_ended) return "close waits for ever";
  for (int item = 0; item < kPushers * model.items_each; ++item) {
    const int freed = s.freed[static_cast<size_t>(item)];
    if (freed != 1) return freed == 0 ? "an item was lost" : "an item was freed twice";
  }
  return "";
}

/// The first fault that is found; sets `states` to the number of states.
std::string explore(const Model& model, size_t* states) {
  std::set<std::string> seen;
  std::vector<State> open{State()};
  seen.insert(open.back().key());
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    bool moved = false;
    for (int thread = 0; thread < kPushers + 2; ++thread) {
      State next = state;
      const bool can = thread < kPushers    ? step_pusher(model, next, thread)
                       : thread == kPushers ? step_reaper(model, next)
                                            : step_closer(model, next);
      if (!can) continue;
      moved = true;
      if (next.closer_ended && !state.closer_ended && !next.reaper_ended) return "close ended before the reaper";
      if (seen.insert(next.key()).second) open.push_back(next);
    }
    if (moved) continue;
    std::string fault = fault_at_end(model, state);
    if (!fault.empty()) return fault;
  }
  *states = seen.size();
  return "";
}

TINYTF_TEST(queue_protocol_has_no_fault_with_close) {
  size_t states = 0;
  EXPECT_EQ(explore(Model(), &states), std::string());
  EXPECT(states > 10000);
}

TINYTF_TEST(queue_protocol_has_no_fault_without_close) {
  Model model;
  model.closes = false;
  size_t states = 0;
  EXPECT_EQ(explore(model, &states), std::string());
  EXPECT(states > 1000);
}

TINYTF_TEST(queue_protocol_exploration_finds_faults) {
  size_t states = 0;
  Model model;
  model.closes = false;
  model.flaw = Flaw::kNoSecondLook;
  EXPECT_EQ(explore(model, &states), std::string("an item was lost"));
  model.flaw = Flaw::kNoWakeAfterPush;
  EXPECT_EQ(explore(model, &states), std::string("an item was lost"));
  model.closes = true;
  model.flaw = Flaw::kNoSecondLook;
  EXPECT_EQ(explore(model, &states), std::string("close waits for ever"));
  model.flaw = Flaw::kCloseBeforeReaperEnds;
  EXPECT_EQ(explore(model, &states), std::string("close ended before the reaper"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf
