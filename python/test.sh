#!/usr/bin/env bash
# Builds the Python package's wheel and sdist, installs the wheel in an empty environment, and runs its tests there.
#
#     npm run test:python
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
node build.mjs
python3 -m venv "$work/venv"
pip="$work/venv/bin/pip -q --disable-pip-version-check"
if ! $pip install build pytest scipy; then
  echo "pip could not install build, pytest and scipy: the tests of the Python package skip"
  exit 0
fi
cp -r pyproject.toml README.md src tests "$work"
"$work/venv/bin/python" -m build "$work" --outdir "$work/dist" > "$work/build.log" || { cat "$work/build.log"; exit 1; }
wheel=$(ls "$work"/dist/*.whl)
bytes=$(stat -c %s "$wheel")
[ "$bytes" -le 1000000 ] || { echo "Expected a wheel of at most 1 MB, got $bytes bytes."; exit 1; }
$pip install "$wheel"
rm -rf "$work/src"
(cd "$work" && "$work/venv/bin/python" -m pytest -q tests)
echo "the wheel ($bytes bytes) works in an empty environment"
