"""Long kernels check with `is_over()` whether their step is over; on the step's own thread it also checks for
Ctrl-C and limits. `cancelled()` does not; it is for code that holds a lock or only passes the answer on.
"""

import re

from repository import ROOT

ASK_WITH_A_LOCK = {"data_flow/shared/queue.cc", "data_flow/shared/waiting_line.h"}


def test_long_kernels_look_for_what_ends_their_step():
    folder = ROOT / "csrc" / "ops"
    found = {
        str(path.relative_to(folder))
        for path in [*folder.rglob("*.h"), *folder.rglob("*.cc")]
        if re.search(r"ctx_?(\.|->)cancelled\(\)", path.read_text())
    }
    assert found == ASK_WITH_A_LOCK
