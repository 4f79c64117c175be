# Everything is set up on the way: a machine needs Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help demo test check bench format lock clean

help:
	@echo "make demo    paint a street, publish a private video of it, write a report"
	@echo "make test    run all tests"
	@echo "make check   format, lint, types, import contracts"
	@echo "make bench   measure speed and memory, write bench/RESULTS.md"
	@echo "make format  format the code"
	@echo "make lock    renew requirements/dev.lock"

$(READY): requirements/dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "VideoDP needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(READY)
	$(BIN)/videodp demo --out demo

test: $(READY)
	$(BIN)/python -m pytest

check: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	$(BIN)/python -m bench

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet uv
	.venv-lock/bin/uv pip compile pyproject.toml --group dev --extra detect --universal \
	  --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --no-header --no-annotate --quiet -o requirements/dev.lock
	rm -rf .venv-lock

clean:
	rm -rf $(VENV) demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
