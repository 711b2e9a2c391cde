#!/usr/bin/env bash
# Removes what this checkout made beside its sources: virtual environment, data, caches, image.
source "$(dirname "$0")/common.sh"

if docker info >/dev/null 2>&1; then
    docker images --quiet --filter reference='firebox-*' | xargs --no-run-if-empty docker rmi
fi
rm -rf "$VENV" "$FIREBOX_VAR_DIR" .mypy_cache .ruff_cache .pytest_cache .import_linter_cache \
    .hypothesis build dist ./*.egg-info
rm -rf "${XDG_CACHE_HOME:-$HOME/.cache}/firebox/test-builds"
find . -name __pycache__ -type d -prune -exec rm -rf {} +
