#!/usr/bin/env bash
# Builds the Python package's wheel and sdist, installs the wheel in an empty environment, and runs its tests there: pytest's, 300 calls of
# every function beside the library, the notebook of the docs, the widget in JupyterLab, and scikit-image's and SciPy's own tests.
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
mkdir "$work/cases" "$work/jupyter"
node tests/cases.mjs "$work/cases"
(cd "$work" && SKERRY_CASES="$work/cases" "$work/venv/bin/python" -m pytest -q tests)
echo "the wheel ($bytes bytes) works in an empty environment"

if $pip install jupyterlab "$wheel[lab]" pillow pandas; then
  # The notebook reads a sample of the repository by a relative path.
  mkdir "$work/docs" && cp ../docs/python.ipynb "$work/docs" && cp -r ../samples "$work"
  (cd "$work/docs" && "$work/venv/bin/jupyter" nbconvert --to notebook --execute python.ipynb --output ran.ipynb)
  node tests/jupyter.mjs "$work/venv/bin" "$work/jupyter"
else
  echo "pip could not install jupyterlab, anywidget, pillow and pandas: the tests of the notebook and the widget skip"
fi

if /usr/bin/python3 -c "import skimage, scipy, pytest" 2> /dev/null; then
  for option in "" --break; do PYTHONPATH=src /usr/bin/python3 outside/judge.py $option > "$work/judge.log" || { cat "$work/judge.log"; exit 1; }; done
  echo "the tests of scikit-image and SciPy pass with skerry in their place, and fail where its answers are spoiled"
else
  echo "python3-skimage, python3-scipy or python3-pytest is not installed: their tests skip"
fi
