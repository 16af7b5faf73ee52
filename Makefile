# The only door: every task of the project is a target here, and the bare call lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

ROOT := $(CURDIR)
TARGET := $(ROOT)/target/release
VENV := $(ROOT)/.venv
PYTHON ?= python3
PY := $(VENV)/bin/python
export VIRTUAL_ENV := $(VENV)
export PATH := $(VENV)/bin:$(PATH)
CC ?= cc
CFLAGS_STRICT := -std=c99 -O1 -g -Wall -Wextra -Werror -pedantic
ARGS ?=

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z][a-z-]*:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{ printf "  make %-12s %s\n", $$1, $$2 }'

# ---- build ------------------------------------------------------------------------------------------------

.PHONY: build python node c runners
build: python node c ## Build wheel, addon and C library: .venv, bindings-node, target/release/libdelayq.{so,a}

$(VENV)/.ready: requirements-dev.txt
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@

python: $(VENV)/.ready ## Build the Python package and install it into .venv
	maturin develop --release --quiet -m bindings-python/Cargo.toml

bindings-node/node_modules/.ready: bindings-node/package.json bindings-node/package-lock.json
	cd bindings-node && npm ci --no-audit --no-fund --loglevel=error
	touch $@

node: bindings-node/node_modules/.ready ## Build the Node addon in place
	cd bindings-node && npm run --silent build

c: ## Build the C library, shared and static
	cargo build --release --quiet -p delayq-c
	ln -sf libdelayq.so $(TARGET)/libdelayq.so.0  # the name that programs look for, as an installation has it

runners: c $(TARGET)/delayq-runner-c # what the scenarios drive; Python's and Node's are scripts
	cargo build --release --quiet -p delayq-runner

$(TARGET)/delayq-runner-c: $(wildcard tests/runners/c/*.[ch]) include/delayq.h $(TARGET)/libdelayq.so
	$(CC) $(CFLAGS_STRICT) -pthread -o $@ tests/runners/c/*.c -Iinclude -L$(TARGET) -ldelayq -Wl,-rpath,$(TARGET)

$(TARGET)/libdelayq.so: c ;

# ---- demo -------------------------------------------------------------------------------------------------

.PHONY: demo
demo: build $(TARGET)/order-timeout-consumer ## Run the order-timeout use: Python schedules, Node and C compete
	$(PY) examples/order_timeout/run.py $(ARGS)

$(TARGET)/order-timeout-consumer: examples/order_timeout/consumer.c include/delayq.h $(TARGET)/libdelayq.so
	$(CC) $(CFLAGS_STRICT) -o $@ $< -Iinclude -L$(TARGET) -ldelayq -Wl,-rpath,$(TARGET)

# ---- test -------------------------------------------------------------------------------------------------

.PHONY: test lint drift unit test-python test-node test-c scenarios servers valgrind-demo
test: build lint drift unit test-python test-node test-c scenarios servers valgrind-demo ## Run everything that CI runs
	@echo "all tests passed"

lint: $(VENV)/.ready bindings-node/node_modules/.ready ## Formatting and lints of every language
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --quiet -p delayq
	ruff format --check --quiet .
	ruff check --quiet .
	$(PY) tests/house/check.py

drift: build ## Generated files equal what is committed: C header, stubs, lists in the docs
	cargo run --quiet --release -p delayq-c --features header --bin header -- --check
	cd bindings-python && mypy --strict python tests/typed_sample.py && $(PY) -m mypy.stubtest delayq --allowlist tests/stubtest-allowlist.txt --ignore-unused-allowlist

unit: ## Rust: unit tests, doc tests, faults, embedded server
	cargo test --quiet -p delayq

test-python: python ## What is particular to the Python package
	pytest -q bindings-python/tests $(ARGS)

test-node: node ## What is particular to the Node addon
	cd bindings-node && npm test --silent

test-c: c ## What is particular to the C library: header, leaks, threads, install
	DELAYQ_C_LIBDIR=$(TARGET) pytest -q tests/c $(ARGS)

scenarios: build runners ## Every scenario in every language, interop of every pair, kill -9
	pytest -q tests/harness $(ARGS)
	@for table in scenarios worker-faults; do test ! -f target/$$table.txt || cat target/$$table.txt; done

servers: build runners ## Every scenario on every other server at hand, oldest and newest
	for name in $$($(PY) tests/harness/servers.py); do \
	  echo "== $$name"; pytest -q tests/harness/test_scenarios.py --topology single --server $$name $(ARGS); done

valgrind-demo: build $(TARGET)/order-timeout-consumer ## The demo with its C consumer under valgrind
	$(PY) examples/order_timeout/run.py --plain --valgrind --orders 60

# ---- more -------------------------------------------------------------------------------------------------

.PHONY: workers mixed bench-workers cost compat fmt header dist install version clean
$(TARGET)/bench-worker-c: benchmarks/workers/worker.c include/delayq.h $(TARGET)/libdelayq.so
	$(CC) $(CFLAGS_STRICT) -o $@ $< -Iinclude -L$(TARGET) -ldelayq -Wl,-rpath,$(TARGET)

bench-workers: build $(TARGET)/bench-worker-c
	cargo build --release --quiet -p delayq-benchmarks

workers: bench-workers ## Lateness idle and under load, idle cost, herd and speed of the workers of every language
	$(PY) benchmarks/worker.py $(ARGS)

mixed: bench-workers ## Ten minutes of workers in three languages, killed at random: nothing lost or doubled
	$(PY) benchmarks/mixed.py $(ARGS)

cost: build ## Redis calls and bytes per job, measured on a real server
	$(PY) benchmarks/cost.py $(ARGS)

compat: runners ## Write tests/compat/<version>.json anew
	$(PY) tests/harness/compat.py

fmt: $(VENV)/.ready ## Format every language
	cargo fmt --all
	ruff format --quiet .
	ruff check --quiet --fix .

header: ## Write include/delayq.h anew
	cargo run --quiet --release -p delayq-c --features header --bin header

dist: build ## Wheel, sdist, npm tarball and crate into dist/
	rm -rf dist && mkdir dist
	maturin build --release --quiet -m bindings-python/Cargo.toml -o dist
	maturin sdist --quiet -m bindings-python/Cargo.toml -o dist
	cd bindings-node && npm pack --silent --pack-destination ../dist
	cargo package --quiet --allow-dirty -p delayq && cp target/package/*.crate dist/
	ls -l dist

install: c ## Install header, libraries and pkg-config file (PREFIX, DESTDIR)
	PREFIX="$${PREFIX:-/usr/local}" DESTDIR="$${DESTDIR:-}" sh bindings-c/install.sh

version: ## Set the version everywhere: make version V=1.2.3
	test -n "$(V)"
	sed -i -E 's/^version = "[^"]+"/version = "$(V)"/; s/(delayq = \{ path = "core", version = "=)[^"]+/\1$(V)/' Cargo.toml
	cd bindings-node && npm version --no-git-tag-version --allow-same-version $(V)
	$(MAKE) header

clean: ## Remove what was built
	rm -rf target dist build .venv bindings-node/node_modules bindings-node/*.node bindings-python/python/delayq/*.so
