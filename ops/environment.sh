# Read by the scripts beside it, not run: makes the virtual environment, sets $root, $python and PYTHONPATH.
#
# The environment is .venv in the checkout, or $RUTTER_VENV; where the checkout cannot be written to, a folder of
# the user's own. It is filled from requirements.lock (exact versions, checked by hash), and again only when that
# file has changed: after the first time nothing is fetched.

say() { echo "rutter: $*" >&2; }
fail() { say "$*"; exit 1; }

# A folder for things that can be made again, when the checkout is not ours to write to.
private_folder() {
    folder="${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/rutter"
    if ! mkdir -p "$folder" 2>/dev/null || [ ! -w "$folder" ]; then
        folder="/var/tmp/rutter-$(id -u)-tools"
        mkdir -p -m 700 "$folder" && [ -O "$folder" ] || fail "cannot make $folder"
    fi
    echo "$folder"
}

is_filled() {
    [ "$(cat "$venv/rutter.stamp" 2>/dev/null)" = "$stamp" ] && "$venv/bin/python" -c '' 2>/dev/null
}

find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is needed (or uv, which brings its own: https://docs.astral.sh/uv/)"
}

fill_with_uv() {
    [ -x "$venv/bin/python" ] || uv venv --quiet --python '>=3.11' "$venv" || fail "uv could not make $venv"
    uv pip install --quiet --python "$venv/bin/python" --require-hashes -r "$root/requirements.lock" ||
        fail "uv could not install requirements.lock"
}

fill_with_pip() {
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        base=$(find_python) || exit 1
        "$base" -c 'import venv, ensurepip' 2>/dev/null ||
            fail "this Python cannot make virtual environments. On Debian or Ubuntu: sudo apt install python3-venv"
        "$base" -m venv "$venv" || fail "could not make $venv"
    fi
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
        -r "$root/requirements.lock" || fail "pip could not install requirements.lock"
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
stamp=$(cksum <"$root/requirements.lock") || fail "requirements.lock is missing"
venv="${RUTTER_VENV:-$root/.venv}"
if ! is_filled; then
    if [ -z "${RUTTER_VENV:-}" ] && { [ ! -w "$root" ] || { [ -e "$venv" ] && [ ! -w "$venv" ]; }; }; then
        venv="$(private_folder)/venv" || exit 1
    fi
    if ! is_filled; then
        say "filling $venv from requirements.lock; this happens once"
        if command -v uv >/dev/null 2>&1; then fill_with_uv; else fill_with_pip; fi
        echo "$stamp" >"$venv/rutter.stamp"
    fi
fi
python="$venv/bin/python"

# The checkout itself is not installed: it is found through PYTHONPATH, before anything of the same name.
export PYTHONPATH="$root${PYTHONPATH:+:$PYTHONPATH}"
