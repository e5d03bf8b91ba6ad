# `make demo` and `make test` set up everything they need in .venv, from nothing.

PYTHON ?= python3
BIN := .venv/bin
SETUP := .venv/.installed
# Three workers with one thread and whole files each: two cores are busy while one waits for a browser or a server.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -q -n 3 --dist loadfile --durations=10

.PHONY: demo test check format slow benchmarks clean

demo: $(SETUP)
	$(BIN)/setwise demo

test: $(SETUP)
	$(PYTEST) -m "not gpu and not network and not slow"

check: $(SETUP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

format: $(SETUP)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What takes long: every published number made again, every attack on the sandbox, whole scripts.
slow: $(SETUP)
	$(PYTEST) -m slow

# What a CPU can measure; benchmarks/update.py and benchmarks/rollouts.py need a GPU.
benchmarks: $(SETUP)
	for name in scoring tasks sandbox evaluation adapters decoding serving; do $(BIN)/python benchmarks/$$name.py || exit 1; done

clean: clean-adapters
	rm -rf .venv runs

# torch comes first and alone: with it in place no other requirement can pull in another build of it.
$(SETUP): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "setwise needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q "$$(grep '^torch==' constraints.txt)"
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	touch $(SETUP)

include adapters.mk
