#include "tensor/block_shelf.h"

#include <sched.h>

#include "base/spin_pause.h"

namespace tinytf {

BlockShelf& BlockShelves::enter_another() noexcept {
  const int mine = ThreadSlot::get();
  for (int turn = 0;; ++turn) {
    const int slot = (mine + turn / 16) % kThreadSlots;
    if (try_enter(shelves_[slot])) {
      if (slot != mine) ThreadSlot::use(slot);
      return shelves_[slot];
    }
    if (turn % 256 < 255) {
      spin_pause();
    } else {
      sched_yield();
    }
  }
}

bool BlockShelves::wait_and_enter(BlockShelf& shelf) noexcept {
  for (int turn = 0; turn < 1200; ++turn) {
    if (try_enter(shelf)) return true;
    if (turn < 200) {
      spin_pause();
    } else {
      sched_yield();
    }
  }
  return false;
}

}  // namespace tinytf
