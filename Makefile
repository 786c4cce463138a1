# Everything is installed into .venv, once; a change of the dependencies installs again.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
AS_ROOT := $(shell [ "$$(id -u)" = 0 ] || echo sudo --non-interactive)

.PHONY: demo test browser bench check format clean

# Generates sentence pairs, trains on them, translates, judges, draws. DEMO="--to ko" for Korean.
demo: $(READY)
	$(BIN)/heedful demo $(DEMO)

# Lint, types and every test, one process for each core.
test: check browser
	$(BIN)/pytest --numprocesses auto --dist loadgroup

# The tests of the page drive Chromium: it comes from Debian where it is missing and may be installed.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
		|| $(AS_ROOT) sh -c 'apt-get update -qq && apt-get install -qq -y --no-install-recommends chromium' >/dev/null \
		|| echo "there is no Chromium here and none could be installed: the tests of the page are skipped"

# Measures heedful beside its peers, which are installed below benchmarks/.environments, once.
# One after the other, about three hours; BENCHMARKS="..." picks some.
BENCHMARKS ?= training_speed translation_speed cold_start preparation growth long_sentences exchange argos \
	onnx_runtime dispatch serving
bench: $(READY)
	$(BIN)/python benchmarks/environments.py
	@for name in $(BENCHMARKS); do $(BIN)/python benchmarks/$$name.py || exit 1; done

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "heedful needs Python 3.11 or newer; say which one: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev,ja,ko,notebook,serve,tensorboard]'
	touch $@

clean:
	rm -rf $(VENV) benchmarks/.environments build dist .mypy_cache .pytest_cache .ruff_cache
