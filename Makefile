# `make help` lists the targets. Each target first installs what it needs (scripts/setup), in this folder as far as
# possible; when everything is installed this takes no noticeable time.

JOBS ?= $(shell nproc)
OUT ?= out/demo
FUZZ_S ?= 60

TEST := scripts/run-tests
NINJA_STATUS := [%f of %t]$(empty) #
export NINJA_STATUS

.PHONY: help demo test build wheel package docs figures results setup bench check check-all fuzz format format-check clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## install what building and running need
	@scripts/setup run

build: setup ## the program (build/aplomb) and the library
	@scripts/phase "Configuring build/" cmake --preset release
	@scripts/phase --live "Building (minutes the first time)" cmake --build build --parallel $(JOBS) --target product

demo: build ## build, let a robot stand up as a person did, and print where the report is
	@build/aplomb demo --out $(OUT)
	@echo "The report: file://$(abspath $(OUT))/report.html"

wheel: build ## the Python package: a wheel and a source distribution in dist/
	@scripts/setup wheel
	@scripts/phase --live "Making the wheel" scripts/make-wheel build dist
	@.venv/bin/python python/build_backend.py sdist dist

package: build ## a Debian package and an archive in dist/, which run without a compiler
	@scripts/phase --live "Packing" cpack --config build/CPackConfig.cmake

docs: ## the documents as a site with search, build/site/index.html
	@scripts/setup docs
	@.venv/bin/python scripts/docs build/site
	@echo "The site: file://$(abspath build/site)/index.html (its search needs a server: python3 -m http.server -d build/site)"

test: ## build and run all tests but the long ones, and say which were skipped
	@scripts/setup test wheel
	@scripts/phase "Configuring build/" cmake --preset release -D APLOMB_TESTS=ON -D APLOMB_BENCH=ON -D APLOMB_PYTHON=ON
	@scripts/phase --live "Building the program, the tests and the benchmarks" cmake --build build --parallel $(JOBS)
	@$(TEST) build --parallel $(JOBS)

figures: build ## draw the pictures of the README and the documents from real runs
	@scripts/setup test
	@scripts/figures

results: build ## measure what is missing or stale of the documents' figures, write their tables (a night; resumes)
	@scripts/results

bench: ## time every controller and solver
	@scripts/setup test
	@scripts/phase "Configuring build/" cmake --preset release -D APLOMB_BENCH=ON
	@scripts/phase --live "Building the benchmarks" cmake --build build --parallel $(JOBS)
	@build/aplomb bench
	@for program in build/bench/*/*_bench; do $$program --benchmark_min_time=0.2 || exit 1; done

check: ## the tests under the address and undefined-behaviour sanitizers
	@scripts/setup check
	@scripts/phase "Configuring build-dev/ (sanitizers)" cmake --preset dev
	@scripts/phase --live "Building with sanitizers" cmake --build build-dev --parallel $(JOBS)
	@$(TEST) build-dev --parallel $(JOBS)

check-all: test check ## test, check, a second compiler, clang-tidy, the long tests, every check with its damage, RealtimeSanitizer, fuzzing, instruction counts
	@scripts/setup check-all
	@scripts/phase "Configuring build-tidy/ (clang and clang-tidy)" cmake --preset tidy
	@scripts/phase --live "Building with clang and clang-tidy" cmake --build build-tidy --parallel $(JOBS)
	@$(TEST) build-tidy --parallel $(JOBS)
	@APLOMB_LONG_TESTS=1 $(TEST) build --parallel $(JOBS)
	@.venv/bin/python scripts/checks-that-can-fail build/aplomb --jobs $(JOBS)
	@scripts/phase "Configuring build-realtime/ (clang's RealtimeSanitizer)" cmake --preset realtime
	@scripts/phase --live "Building with RealtimeSanitizer" cmake --build build-realtime --parallel $(JOBS) --target product
	@python3 scripts/realtime-check build-realtime/aplomb
	@$(MAKE) --no-print-directory fuzz
	@scripts/instruction-counts

fuzz: ## fuzz the readers of recordings, of messages, and --set, FUZZ_S (60) seconds for each; damage files of every kind
	@scripts/setup check
	@scripts/phase "Configuring build-fuzz/ (clang's fuzzer)" cmake --preset fuzz
	@scripts/phase --live "Building the fuzzers" cmake --build build-fuzz --parallel $(JOBS) --target fuzzers
	@scripts/phase "Configuring build/" cmake --preset release -D APLOMB_TESTS=ON
	@scripts/phase --live "Building the program" cmake --build build --parallel $(JOBS) --target product print_overrides
	@scripts/fuzz build-fuzz $(FUZZ_S) build

format: ## format the C++ files
	@scripts/setup test
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 -i

format-check: ## list the C++ files that are not formatted
	@scripts/setup test
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format-14 --dry-run -Werror

clean: ## remove build and output folders (.venv and web/node_modules stay)
	@rm -rf build build-* out
