# Every target does its own set-up and does it only once; see scripts/setup.sh.
.DEFAULT_GOAL := help
.PHONY: help demo quick test check page docs soak corpus parity bench wheel compiled vsix release clean

VENV := .venv
BIN := $(VENV)/bin
# A way to lend tests and benchmarks other scripts: make corpus CORPUS=DIR
CORPUS ?=
# A folder with what was fetched to compare with TradingView, and a Python that has PyneCore.
SOURCES ?=
PYNECORE ?=
# Processes to test with.
WORKERS ?= auto

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

demo:  ## see in a minute what pinebench does
	@scripts/setup.sh run
	@$(BIN)/python scripts/release/build_page.py || true
	@$(BIN)/pinebench demo

quick:  ## what to run while you work: the linter and the fast tests (90 seconds)
	@scripts/setup.sh develop
	@$(BIN)/ruff format --check --quiet && $(BIN)/ruff check --quiet
	@$(BIN)/python -m pytest -q -n 2 -m quick $$($(BIN)/python -c "from tests.selection import QUICK; print(*QUICK)")

test: page  ## run every test
	@$(BIN)/python -m pytest -n $(WORKERS) -m "not soak" --ignore tests/soak --timeout 300

check:  ## formatter, linter, types, import contracts, plain English
	@scripts/setup.sh develop
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/pyright --pythonpath $(BIN)/python
	$(BIN)/lint-imports
	$(BIN)/python scripts/check_english.py
	$(BIN)/python scripts/release/build_page.py --check

page:  ## build the studio's page (needs npm; nothing is done when it is up to date)
	@scripts/setup.sh develop
	@$(BIN)/python scripts/release/build_page.py

docs:  ## build the site with its playground into build/site (needs npm)
	@scripts/setup.sh develop
	@$(BIN)/python scripts/release/build_site.py

soak:  ## heavy fuzzing
	@scripts/setup.sh develop
	@$(BIN)/python -m pytest -n $(WORKERS) -m soak

corpus:  ## lint a folder of real scripts: make corpus CORPUS=DIR
	@test -n "$(CORPUS)" || { echo "say which folder: make corpus CORPUS=DIR" >&2; exit 2; }
	@scripts/setup.sh run
	@$(BIN)/python scripts/data/corpus.py "$(CORPUS)"

parity:  ## count what agrees with TradingView: make parity SOURCES=DIR (docs/parity.md says what is in DIR)
	@test -n "$(SOURCES)" || { echo "say which folder: make parity SOURCES=DIR" >&2; exit 2; }
	@scripts/setup.sh develop
	@$(BIN)/python scripts/data/parity.py "$(SOURCES)" $(if $(PYNECORE),--pynecore "$(PYNECORE)")
	@$(BIN)/python scripts/docs/generate.py

bench:  ## measure speed and memory
	@scripts/setup.sh develop
	@$(BIN)/python benchmarks/figures.py $(CORPUS)
	@$(BIN)/python benchmarks/lint.py $(CORPUS)
	@$(BIN)/python benchmarks/workers.py
	@$(BIN)/python benchmarks/charts.py
	@$(BIN)/python benchmarks/judging.py

wheel: page  ## build the wheel and the source archive into dist/
	@$(BIN)/python -m build --quiet .
	@ls dist

compiled: page  ## build the wheel with compiled rooms into dist/ (needs a compiler of C; two minutes)
	@PINEBENCH_COMPILED=1 $(BIN)/python -m build --quiet --wheel .
	@ls -l dist

vsix:  ## pack the extension for VS Code into dist/ (needs npm)
	@scripts/setup.sh run
	@$(BIN)/python scripts/release/build_vsix.py

release:  ## build and check everything of a release into dist/, and publish nothing (needs npm)
	@scripts/setup.sh run
	@$(BIN)/python scripts/release/release.py

clean:  ## remove everything that was made
	rm -rf $(VENV) dist build .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	rm -f pinebench/syntax/_tables.py
	rm -rf pinebench/studio/static pinebench/studio/page/node_modules website/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
