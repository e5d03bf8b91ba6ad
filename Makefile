# `make demo` and `make test` set up everything they need in .venv, from nothing.

PYTHON ?= python3
BIN := .venv/bin
TRYING := .venv/.for-the-demo
SETUP := .venv/.installed
# The tests start setwise hundreds of times. Without bytecode on disk, each start compiles it again.
unexport PYTHONDONTWRITEBYTECODE
# Three workers with one thread and whole files each: two cores are busy while one waits for a browser or a server.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -q -n 3 --dist loadfile --durations=10

.PHONY: help demo test tutorial check format slow benchmarks docs wheel clean

help: ## list what can be made
	@awk -F ': .*## ' '/^[a-z-]+:.* ## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(TRYING) ## train a small model six ways on two CPU cores, evaluate, write a report
	$(BIN)/setwise demo

test: $(SETUP) ## run the tests, under five minutes on two cores
	$(PYTEST) -m "not gpu and not network and not slow"

# Two minutes of training: too long for `make test`, and CI runs it.
tutorial: $(SETUP) ## do what the tutorial says, docs/start/your-data.md
	$(PYTEST) -m slow tests/docs/test_your_data.py

check: $(SETUP) ## lint, types and the rules of who imports whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

format: $(SETUP) ## repair what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# What takes long: every published number made again, every attack on the sandbox, whole scripts.
slow: $(SETUP) ## run the long tests: published numbers, attacks on the sandbox, whole scripts, the wheel
	$(PYTEST) -m slow

# What a CPU can measure; benchmarks/update.py and benchmarks/rollouts.py need a GPU.
benchmarks: $(SETUP) ## measure what a CPU can
	for name in scoring tasks sandbox evaluation adapters decoding serving audit; do $(BIN)/python benchmarks/$$name.py || exit 1; done

# The environment variable silences a notice of the theme's about another tool.
docs: $(SETUP) ## build the documentation site into runs/site
	$(BIN)/python docs/scripts/generate.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

wheel: $(SETUP) ## build the wheel and the source distribution into dist/
	$(BIN)/python -m build --no-isolation

clean: clean-adapters ## delete the environments and runs/
	rm -rf .venv runs

# The demo needs half of what the tests need, and is there sooner.
$(SETUP): $(TRYING)
	$(BIN)/pip install -q -c constraints.txt -e '.[dev]'
	touch $(SETUP)

# torch comes first and alone: with it in place no other requirement can pull in another build of it.
$(TRYING): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "setwise needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/pip install -q "$$(grep '^torch==' constraints.txt)"
	$(BIN)/pip install -q -c constraints.txt -e '.[train,reports,serving]'
	touch $(TRYING)

include adapters.mk
