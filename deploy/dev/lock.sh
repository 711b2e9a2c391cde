#!/usr/bin/env bash
# Resolves all extras of pyproject.toml into requirements.lock: versions and hashes, for every
# supported Python and system, and no address of any index. Usage: lock.sh [--upgrade]
source "$(dirname "$0")/common.sh"

# uv does not read pip's configuration, where a machine with a mirror of its own names it.
index=$("$VENV/bin/pip" config get global.index-url 2>/dev/null || true)

# setuptools builds this very package, without a build environment of its own.
echo 'setuptools>=77' | "$VENV/bin/uv" pip compile pyproject.toml - --all-extras --universal \
    --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet \
    ${index:+--default-index "$index"} --output-file requirements.lock "$@"
sed --in-place '1i # All packages of all extras, by version and hash. Made by make lock; do not edit.' \
    requirements.lock
say "requirements.lock holds $(grep -c '==' requirements.lock) packages"
