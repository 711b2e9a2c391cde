# The front door. `make help` lists what can be done; the steps themselves are in deploy/dev/.

PORT ?= 8600
REDIS_PORT ?= 6390
RUNS ?= 40
SEED ?= 1
GAMES ?= 1000
NAME ?= games

export FIREBOX_PORT := $(PORT)
export FIREBOX_REDIS_PORT := $(REDIS_PORT)

BIN := .venv/bin
RUN := $(BIN)/python
BY_TURNS := $(if $(AGAINST),--against $(AGAINST))
TEMPLATES := webapp/templates grader/interfaces/*/guide.html grader/core/games/*/*.html
SCRIPTS := deploy/dev/*.sh sandbox/images/*/finish .ci/run

.DEFAULT_GOAL := help
.NOTPARALLEL:
# Tests and graders start many Pythons: compiled modules are kept, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help demo demo-course stop test test-fast test-deep coverage ready setup install tools services images \
	lint types format bench chaos lock screenshots clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  \033[1mmake %-12s\033[0m %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  PORT=$(PORT)  REDIS_PORT=$(REDIS_PORT)   can be set: make demo PORT=8700"

demo: install services ## set everything up, play a student's 1000 graded games, leave the site running
	@deploy/dev/site.sh
	@$(RUN) deploy/dev/demo.py
	@$(RUN) deploy/dev/process.py start images -- $(RUN) -m sandbox.images.build

demo-course: export FIREBOX_VAR_DIR := $(CURDIR)/var/demo-course
demo-course: export FIREBOX_EMPTY := 1
demo-course: setup ## play the demo's course again, when rules or formats changed; GAMES=1000 is what it ships with
	@deploy/dev/stop.sh
	@rm -rf $(FIREBOX_VAR_DIR)
	@deploy/dev/services.sh
	@deploy/dev/site.sh
	@set -a; . $(FIREBOX_VAR_DIR)/env; $(RUN) deploy/dev/furnish.py --games $(GAMES) deploy/dev/demo-course.zip
	@deploy/dev/stop.sh

stop: ## end everything that this checkout started
	@deploy/dev/stop.sh

test: ready ## run every check, and every test whose code changed since it passed; ALL=1 runs all
	@$(MAKE) --no-print-directory types & types=$$!; \
	$(MAKE) --no-print-directory lint; lint=$$?; wait $$types && exit $$lint
	@deploy/dev/test.sh usual

test-fast: tools ## run the fast tests, which need no services
	@deploy/dev/test.sh fast

test-deep: ready ## run the tests with more games, cases and repeats: before a release
	@deploy/dev/test.sh deep

chaos: ready ## break workers, Redis, Docker and the database while evaluations are played; RUNS=200 SEED=1 ONLY='stop web'
	@FIREBOX_TEST_DEPTH=deep CHAOS_RUNS=$(RUNS) CHAOS_SEED=$(SEED) CHAOS_ONLY="$(ONLY)" \
		$(BIN)/pytest -p no:randomly --capture=no tests/chaos/test_chaos.py

coverage: ready ## run the tests and print the branch coverage of each package
	@deploy/dev/test.sh coverage

ready:
	@deploy/dev/setup.sh test
	@deploy/dev/services.sh docker
	@$(RUN) -m sandbox.images.build

setup: install services images ## install and start what the site and its graders need

install: ## install Debian packages that are missing, and what the site needs into .venv
	@deploy/dev/setup.sh

tools: ## install the Python packages of tests and checks as well
	@deploy/dev/setup.sh tools

services: ## start Redis and Docker if they are not running
	@deploy/dev/services.sh

images: install ## build the sandbox images whose descriptions changed
	@$(RUN) -m sandbox.images.build

lint: tools ## check style, templates, imports, dependencies and shell scripts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/djlint --check $(TEMPLATES)
	$(BIN)/lint-imports
	$(BIN)/deptry grader sandbox
	$(BIN)/deptry webapp --config deploy/site/pyproject.toml
	shellcheck $(SCRIPTS)

types: tools ## check types
	$(BIN)/mypy
	$(BIN)/mypy deploy/dev/*.py

format: tools ## format code and templates
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/djlint --reformat --quiet $(TEMPLATES) || $(BIN)/djlint --check $(TEMPLATES)

bench: ready ## measure how fast games are played; NAME=pages or another measures more, AGAINST=REV a revision by turns
	@mkdir -p var
	@$(RUN) -m tests.bench $(NAME) --output var/bench-$(NAME).json $(BY_TURNS)

lock: tools ## resolve requirements.lock again; UPGRADE=1 takes newer versions
	@deploy/dev/lock.sh $(if $(UPGRADE),--upgrade)

screenshots: ## take a picture of every page, wide and narrow, into var/screenshots, and the README's
	@deploy/dev/setup.sh test
	$(BIN)/pytest tests/e2e/test_look.py --screenshots
	cp var/screenshots/readme.webp deploy/screenshot.webp

clean: stop ## stop, then remove the virtual environment, the data and the sandbox images
	@deploy/dev/clean.sh
