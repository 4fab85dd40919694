# make demo | test | dev | bench | notebooks | asan | tsan | late | fuzz | soak | matrix | format | lint | clean       (explained in README.md)
#
# Everything is installed into .venv and compiled under build/. A file under .venv/.done marks each finished step, so that
# no step runs twice. Needs Python >= 3.10 and a C++17 compiler; PYTHON=… and CXX=… override the defaults.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DONE := $(VENV)/.done
# Runs a module of the installed package instead of the sources in this folder, which have no compiled engine.
INSTALLED := $(BIN)/python -c 'import runpy, sys; del sys.path[0]; runpy.run_module(sys.argv.pop(1), run_name="__main__")'
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
# Runs a command that compiles, and shows how far it is and how long it will take.
SHOWN := $(BIN)/python tinytf/_src/tools/compile_progress.py
# The build requirements of pyproject.toml, plus CMake and ninja, because the build is not isolated, and a pip that supports
# -C, because the one bundled with some Pythons 3.10 does not.
BUILD_TOOLS = $(shell sed -n 's/^requires = \[\(.*\)\]/\1/p' pyproject.toml | sed 's/", "/" "/g') cmake ninja "pip>=23.1"
# Installs the test hooks, which pause the engine, inspect it and inject failures; wheels do not have them.
TESTING := -C cmake.define.TINYTF_TESTING=ON
# The folder in which scikit-build-core compiles for this Python, and the folder of the engine shared between Pythons.
BUILD_DIR = $(firstword $(wildcard build/$(shell $(BIN)/python -c 'import sys; print("cp%d%d-" % sys.version_info[:2])')*))
ENGINE_DIR = $(shell sed -n 's/^TINYTF_ENGINE:INTERNAL=//p' $(BUILD_DIR)/CMakeCache.txt)

LIST_SOURCES := find csrc tinytf -type f -not -path '*/__pycache__/*' -not -name '*.so' | LC_ALL=C sort
SOURCES := $(shell $(LIST_SOURCES))
CPP_TESTS := $(wildcard $(foreach folder,cpp stress,tests/$(folder)/*.h tests/$(folder)/*.cc))
CPP_TEST_BINARIES := tinytf_cpp_tests tinytf_stress
CPP_FILES := $(filter %.h %.cc,$(SOURCES)) $(CPP_TESTS) $(wildcard tests/late/*.cc)
PYTHON_FOLDERS := $(wildcard tinytf tests benchmarks notebooks .ci)

.DELETE_ON_ERROR:
.PHONY: demo test dev bench notebooks asan tsan late fuzz fuzz-ops fuzz-readers fuzzed soak matrix format lint cpp-tests clean FORCE

test: lint cpp-tests
	$(BIN)/pytest -n 2 -q

demo: $(DONE)/installed
	@$(INSTALLED) tinytf.demos.digits build/digits_demo
	@echo
	@$(INSTALLED) tinytf.demos.characters

bench: $(DONE)/installed
	$(BIN)/python benchmarks/run.py

# Stores the outputs of all notebook cells; to be run after cells or their outputs change.
notebooks: $(DONE)/installed $(DONE)/test-tools
	$(BIN)/python tests/notebooks/notebook_outputs.py

# An editable install: Python edits take effect immediately; C++ edits are compiled at the next import, by the cmake on PATH.
dev: $(DONE)/test-tools $(DONE)/build-tools
	@rm -f $(DONE)/installed
	@echo "Compiling the engine where it changed; the first time this takes some minutes."
	@$(SHOWN) $(PIP) install -vv --no-build-isolation $(TESTING) -C editable.rebuild=true -e .
	@echo "Next: . $(VENV)/bin/activate   (recompiling at import needs the cmake in there)"

lint: $(DONE)/test-tools
	@$(BIN)/clang-format --dry-run -Werror $(CPP_FILES)
	$(BIN)/ruff check -q $(PYTHON_FOLDERS)
	$(BIN)/ruff format -q --check $(PYTHON_FOLDERS)
	$(BIN)/mypy

format: $(DONE)/test-tools
	@$(BIN)/clang-format -i $(CPP_FILES)
	$(BIN)/ruff check -q --fix-only $(PYTHON_FOLDERS)
	$(BIN)/ruff format -q $(PYTHON_FOLDERS)

cpp-tests: $(DONE)/cpp-tests

# Only the C++ unit and stress tests, under AddressSanitizer (with LeakSanitizer and UndefinedBehaviorSanitizer) or under
# ThreadSanitizer. STRESS multiplies the rounds of the stress tests relative to `make test`.
STRESS ?= 10
asan: SANITIZER := address
asan: export ASAN_OPTIONS := detect_leaks=1:strict_string_checks=1:allocator_may_return_null=1
asan: export UBSAN_OPTIONS := print_stacktrace=1
tsan: SANITIZER := thread
tsan: export TSAN_OPTIONS := second_deadlock_stack=1:allocator_may_return_null=1
asan tsan: $(DONE)/build-tools
	PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B build/$@ -G Ninja -DTINYTF_SANITIZE=$(SANITIZER) -DTINYTF_TESTING=ON \
	  -DTINYTF_PYTHON=OFF -DTINYTF_CPP_TESTS=ON -DPython_EXECUTABLE="$(abspath $(BIN)/python)"
	$(BIN)/cmake --build build/$@ --target $(CPP_TEST_BINARIES)
	build/$@/tinytf_cpp_tests
	TINYTF_STRESS=$(STRESS) build/$@/tinytf_stress

# The test suite, or TESTS of it, with threads that start and wake late, as on a busy machine, to find tests and code that
# depend on thread timing. Linux only.
TESTS ?= tests
late: $(DONE)/cpp-tests $(DONE)/test-tools
	$(CXX) -std=c++17 -O2 -Wall -Wextra -shared -fPIC -o build/late_threads.so tests/late/late_threads.cc -ldl
	LD_PRELOAD="$(abspath build/late_threads.so)" $(BIN)/pytest -n 2 -q $(TESTS)

# Fuzzes an engine built with AddressSanitizer and UndefinedBehaviorSanitizer: fuzz-ops runs random cases of every row of
# the op table and damaged graphs, fuzz-readers damaged files of every kind. MINUTES each; SEED defaults to the date.
MINUTES ?= 5
SEED ?= $(shell date +%Y%m%d)
FUZZED := build/asan/site
FUZZ = PYTHONPATH=$(FUZZED) PYTHONMALLOC=malloc \
  LD_PRELOAD="$$($${CXX:-c++} -print-file-name=libasan.so) $$($${CXX:-c++} -print-file-name=libubsan.so)" \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=256:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1 \
  $(BIN)/python
fuzz: fuzz-ops fuzz-readers
fuzz-ops: fuzzed
	$(FUZZ) tests/fuzz/fuzz.py --minutes $(MINUTES) --seed $(SEED)
fuzz-readers: fuzzed
	$(FUZZ) tests/readers/fuzz_readers.py --minutes $(MINUTES) --seed $(SEED)
fuzzed: $(DONE)/installed $(DONE)/test-tools
	PATH="$(abspath $(BIN)):$$PATH" cmake -S . -B build/asan -G Ninja -DTINYTF_SANITIZE=address -DTINYTF_TESTING=ON -DTINYTF_PYTHON=ON \
	  -Dpybind11_DIR="$$($(BIN)/python -m pybind11 --cmakedir)" -DPython_EXECUTABLE="$(abspath $(BIN)/python)"
	$(BIN)/cmake --build build/asan --target _core
	rm -rf $(FUZZED) && mkdir -p $(FUZZED) && cp -r tinytf $(FUZZED)/
	cp -r $(BUILD_DIR)/_gen build/asan/_core*.so $(FUZZED)/tinytf/

# A test that hangs is ended after two hours instead of minutes.
SOAKED := $(BIN)/pytest -q -o faulthandler_timeout=7200

# Long runs of tests that take seconds in `make test`: random programs on eager sessions, forks and exits of programs that
# use them, killed trainings and saves, first uses in threads, repeated acceptance cases, and an hour each of both fuzzers.
soak: $(DONE)/installed $(DONE)/test-tools
	TINYTF_ALL_CASES=1 TINYTF_SEED=$(SEED) $(SOAKED) -n 2 tests/fuzz tests/ops
	TINYTF_STATE_MACHINE_STEPS=1000000 $(SOAKED) -n 2 tests/eager/test_state_machine.py
	TINYTF_FORKS=167 $(SOAKED) tests/eager/test_eager_fork.py
	TINYTF_CHILDREN=1000 $(SOAKED) tests/session/test_fork.py
	TINYTF_CYCLES=10000 $(SOAKED) -n 2 tests/session/test_life_cycles.py tests/eager/test_given_back.py
	TINYTF_CYCLES=10000 $(SOAKED) -n 2 tests/data/test_pipelines_given_back.py
	TINYTF_EXITS=1000 $(SOAKED) tests/eager/test_random_exits.py
	TINYTF_KILLS=500 $(SOAKED) tests/monitoring/test_killed_trainings.py tests/monitoring/test_killed_input.py
	TINYTF_SAVE_KILLS=167 $(SOAKED) -n 2 tests/saving/test_kills.py
	TINYTF_ALL_LOSSES=1 $(SOAKED) -n 2 tests/saving/test_power_loss.py
	TINYTF_READER_BATCHES=50 $(SOAKED) -n 2 tests/readers
	TINYTF_LOSSES=1000 $(SOAKED) tests/monitoring/test_monitored_sessions.py -k losses
	TINYTF_IDLE_TRAININGS=2000 $(SOAKED) -n 2 tests/monitoring/test_idle_hooks.py
	TINYTF_FIRST_USES=100 $(SOAKED) -n 2 tests/framework/test_first_uses_in_threads.py
	TINYTF_REPEAT=1000 $(SOAKED) -m acceptance tests/eager
	$(MAKE) fuzz MINUTES=60

# Tests all Pythons, compilers, and old and new libraries available on this machine. ROWS selects some of the rows.
matrix: $(DONE)/venv
	$(BIN)/python .ci/matrix.py $(ROWS)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Steps with a mark under $(DONE).

$(DONE)/venv:
	@command -v $(PYTHON) >/dev/null \
	  || { echo "tinytf needs Python: install python3 (3.10 or newer), or name one: make PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo "tinytf needs Python 3.10 or newer, not $$($(PYTHON) -V): install one and run make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "$(PYTHON) has no venv module: install it (Debian, Ubuntu: apt install python3-venv)"; exit 1; }
	@$(PYTHON) -c 'import os, sysconfig as s; os.stat(s.get_path("include") + "/Python.h")' 2>/dev/null \
	  || { echo "$(PYTHON) has no C headers: install them (Debian, Ubuntu: apt install python3-dev)"; exit 1; }
	@command -v "$${CXX:-c++}" >/dev/null \
	  || { echo "tinytf needs a C++17 compiler: install one (Debian, Ubuntu: apt install g++)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(DONE) && touch $@

$(DONE)/build-tools: pyproject.toml | $(DONE)/venv
	$(PIP) install $(BUILD_TOOLS)
	@touch $@

$(DONE)/test-tools: tests/requirements.txt | $(DONE)/venv
	$(PIP) install -r tests/requirements.txt
	@touch $@

# The list of source files; changes when a file is added or removed, which time stamps do not show.
$(DONE)/files: FORCE | $(DONE)/venv
	@$(LIST_SOURCES) | cmp -s - $@ || $(LIST_SOURCES) > $@

$(DONE)/installed: $(SOURCES) $(DONE)/files CMakeLists.txt README.md LICENSE NOTICE | $(DONE)/build-tools
	@echo "Installing tinytf into $(VENV); the first time this compiles the engine, which takes some minutes."
	@$(SHOWN) $(PIP) install -vv --no-build-isolation $(TESTING) .
	@touch $@

$(DONE)/cpp-tests: $(DONE)/installed $(CPP_TESTS)
	@echo "Compiling the C++ tests."
	@$(SHOWN) $(BIN)/cmake -DTINYTF_CPP_TESTS=ON "$(ENGINE_DIR)"
	@$(SHOWN) $(BIN)/cmake --build "$(ENGINE_DIR)" --target $(CPP_TEST_BINARIES)
	@touch $@
