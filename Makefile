# Needs Python 3.11 or newer and make; everything else is installed into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# More BLAS threads than free cores make numpy slower, not faster.
export OMP_NUM_THREADS ?= 1
# Images of containers often set it; the tests start hundreds of processes, each of which would compile anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo env test lint types imports docs-check docs quality bench lock clean

help:
	@echo "make demo     index and evaluate the handbook in examples/"
	@echo "make test     everything that must hold, under ten minutes"
	@echo "make docs     the documentation as a site, in site/"
	@echo "make quality  retrieval quality on the public data sets, written to docs/quality.md; statistics by simulation"
	@echo "make bench    speed, peers in the same run, written to bench/results/"
	@echo "make lock     renew the lock files in requirements/"

# --- environments -------------------------------------------------------------------------------

$(VENV)/demo.stamp: requirements/local.txt pyproject.toml
	$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(f"Python 3.11 or newer is needed, got {v[0]}.{v[1]}" if v < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/local.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable '.[local]'
	touch $@

$(VENV)/dev.stamp: requirements/dev.txt pyproject.toml
	$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(f"Python 3.11 or newer is needed, got {v[0]}.{v[1]}" if v < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --editable '.[all]'
	touch $@ $(VENV)/demo.stamp

env: $(VENV)/dev.stamp

# --- the two commands ---------------------------------------------------------------------------

demo: $(VENV)/demo.stamp
	@rm -rf .demo
	@export RANKLE_HOME=.demo; \
	echo '$$ rankle index examples/handbook'; $(BIN)/rankle index examples/handbook && echo && \
	echo '$$ rankle search "how much time off when a baby arrives" -k 2'; \
	$(BIN)/rankle search "how much time off when a baby arrives" -k 2 --no-log && echo && \
	echo '$$ rankle eval examples/handbook.jsonl --method fts5,vector,hybrid --worst 3 --output .demo/handbook.json'; \
	$(BIN)/rankle eval examples/handbook.jsonl --method fts5,vector,hybrid --worst 3 --output .demo/handbook.json && echo && \
	echo '$$ rankle eval examples/handbook.jsonl --funnel --worst 3'; \
	$(BIN)/rankle eval examples/handbook.jsonl --funnel --worst 3 && echo && \
	echo '$$ rankle run evals --no-record --worst 3'; \
	$(BIN)/rankle run evals --no-record --worst 3

test: lint types imports docs-check
	$(BIN)/python -m pytest -n 2 --dist worksteal -q

# --- the single checks --------------------------------------------------------------------------

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/dev.stamp
	$(BIN)/mypy

imports: $(VENV)/dev.stamp
	$(BIN)/lint-imports --no-logo --no-cache

docs-check: $(VENV)/dev.stamp
	$(BIN)/python tools/docs_check.py

$(VENV)/docs.stamp: requirements/docs.txt $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/docs.txt
	touch $@

docs: $(VENV)/docs.stamp docs-check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "site/index.html"

# --- heavy measurements -------------------------------------------------------------------------

quality: $(VENV)/dev.stamp
	$(BIN)/python -m bench.quality
	$(BIN)/python -m bench.chunkers
	$(BIN)/python -m bench.simulations

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench.startup
	$(BIN)/python -m bench.measures
	$(BIN)/python -m bench.embedding
	$(BIN)/python -m bench.comparisons
	$(BIN)/python -m bench.evals
	$(BIN)/python -m bench.indexing
	$(BIN)/python -m bench.hybrid

lock: $(VENV)/dev.stamp
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
		pyproject.toml -o requirements/core.txt
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
		--extra local pyproject.toml -c requirements/core.txt -o requirements/local.txt
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
		--group dev --all-extras pyproject.toml -c requirements/local.txt -o requirements/dev.txt
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
		--group docs -c requirements/dev.txt -o requirements/docs.txt

clean:
	rm -rf $(VENV) .demo site .mypy_cache .pytest_cache .ruff_cache .hypothesis
