#!/usr/bin/env bash
# Runs tests in an order in which they do not disturb each other, and says how long they took.
# Usage: test.sh fast|usual|deep|coverage
#   fast      no service, nothing slow
#   usual     everything but what only repeats
#   deep      everything, with more games, more cases, more repeats
#   coverage  as usual, and which branches of each package were taken
source "$(dirname "$0")/common.sh"

readonly SERVICES="docker or redis or postgresql or browser"
readonly TIMES="$FIREBOX_VAR_DIR/tests/times.jsonl"
WORKERS=${WORKERS:-$(nproc)}
status=0
pytest=("$VENV/bin/pytest")
# A directory of this run's own: two runs at once would sweep each other's away.
SCRATCH=$(mktemp --directory --tmpdir firebox-tests.XXXXXX)
trap 'rm -rf --one-file-system "$SCRATCH"' EXIT

main() {
    local began=$SECONDS
    mkdir -p "$(dirname "$TIMES")"
    : >"$TIMES"
    export FIREBOX_TEST_TIMES="$TIMES"
    case ${1:-} in
        fast) run_fast ;;
        usual) run_all ;;
        deep) FIREBOX_TEST_DEPTH=deep run_all ;;
        coverage) run_with_coverage ;;
        *) die "test.sh knows no tests called '${1:-}'" "run: make help" ;;
    esac
    "$VENV/bin/python" -m tests.support.times "$TIMES" $((SECONDS - began))
    exit "$status"
}

run_fast() {
    run --numprocesses "$WORKERS" --dist worksteal --hypothesis-profile fast --nomigrations \
        -m "not ($SERVICES or alone or slow)"
}

# First what needs no service, in random order. Then what does: a worker on each core, in the order
# of the files, so that a module opens its containers once. Last, what needs the machine to itself.
run_all() {
    run --numprocesses "$WORKERS" --dist worksteal -m "not ($SERVICES or alone)"
    run --numprocesses "$WORKERS" --dist worksteal -p no:randomly -m "($SERVICES) and not alone"
    run -p no:randomly -m alone
}

# A failure does not keep the other tests from running.
run() {
    "${pytest[@]}" --basetemp "$SCRATCH/run" "$@" || status=1
}

run_with_coverage() {
    local data="$FIREBOX_VAR_DIR/tests/coverage"
    rm -rf "$data"
    mkdir -p "$data"
    export COVERAGE_FILE="$data/data"
    pytest=("$VENV/bin/coverage" run -m pytest)
    run_all
    "$VENV/bin/coverage" combine --quiet
    "$VENV/bin/coverage" json --quiet -o "$data/report.json"
    "$VENV/bin/python" -m tests.support.coverage "$data/report.json"
}

main "$@"
