#!/usr/bin/env bash
# Resolves the requirements of firebox and firebox-site into lock files of versions and hashes, for every supported Python and
# system, without the address of any index. Usage: lock.sh [--upgrade]
#   requirements.lock         all extras: development, tests, the demo
#   deploy/web.lock           what the site's image holds
#   deploy/grader.lock        what a grading machine's image holds
source "$(dirname "$0")/common.sh"

# uv does not read pip's configuration, where a machine with a mirror of its own names it.
index=$("$VENV/bin/pip" config get global.index-url 2>/dev/null || true)

# resolve FILE OPTION…; setuptools builds these very packages, without an environment of its own.
resolve() {
    local file=$1
    shift
    echo 'setuptools>=77' | "$VENV/bin/uv" pip compile - --universal \
        --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet \
        --no-emit-package firebox \
        ${index:+--default-index "$index"} --output-file "$file" "$@"
    sed --in-place '1i # Versions and hashes, made by make lock from pyproject.toml. Do not edit.' "$file"
    say "$file holds $(grep -c '==' "$file") packages"
}

resolve requirements.lock pyproject.toml deploy/site/pyproject.toml --all-extras "$@"
resolve deploy/web.lock pyproject.toml deploy/site/pyproject.toml --extra s3 \
    --constraints requirements.lock "$@"
resolve deploy/grader.lock pyproject.toml --extra worker --extra s3 \
    --constraints requirements.lock "$@"
