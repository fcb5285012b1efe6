# Read by the scripts beside it, not run: makes the virtual environment, sets $root, $python and PYTHONPATH.
# The environment's own Python finds the packages of the checkout as well, as `rutter.events` and as `events`.
#
# The environment is .venv in the checkout, or $RUTTER_VENV; where the checkout cannot be written to, a folder of
# the user's own. It is filled from requirements.lock, what the service needs; a script that says extent=dev before
# fills it from requirements-dev.lock, which has tests and research besides, in the same versions. Versions are exact
# and checked by hash. It is filled again only when the lock has changed: after the first time nothing is fetched.

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

# An environment for tests has everything that the server needs.
is_filled() {
    filled=$(cat "$venv/rutter.stamp" 2>/dev/null)
    [ -n "$filled" ] && { [ "$filled" = "$stamp" ] || [ "$filled" = "$whole" ]; } && "$venv/bin/python" -c '' 2>/dev/null
}

find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    fail "Python 3.11 or newer is missing. Install it, or uv, which brings its own: https://docs.astral.sh/uv/"
}

make_with_pip() {
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 && return
    base=$(find_python) || exit 1
    "$base" -c 'import venv, ensurepip' 2>/dev/null ||
        fail "this Python cannot make virtual environments. On Debian or Ubuntu: sudo apt install python3-venv"
    say "making a virtual environment"
    "$base" -m venv "$venv" || fail "could not make $venv"
}

# Print the progress of pip in a few lines: pip itself prints too much or nothing.
tell_progress() {
    awk -v all="$(grep -c '==' "$root/$lock")" '
        BEGIN { step = int(all / 5) + 1 }
        /^(Collecting|Processing|Requirement already)/ && ++count % step == 0 { say(count " of about " all " are fetched") }
        /^Installing collected/ { say("installing them") }
        function say(words) { print "rutter: " words; fflush() }' >&2
}

pip_install() {
    code=$({
        { "$venv/bin/python" -m pip install --no-compile --disable-pip-version-check --no-color "$@" 2>&1; echo $? >&3; } |
            tee "$venv/install.log" | tell_progress
    } 3>&1)
    [ "$code" = 0 ] || { tail -n 20 "$venv/install.log" >&2; return 1; }
}

# Compile what is installed, on all processors: pip uses one, uv leaves it to the first start. Left out is what is
# seldom imported. Some libraries bring files for other Pythons, which cannot be compiled and are not needed.
compile_all() {
    "$venv/bin/python" -m compileall -q -j 0 -x '/(tests|lexers|providers)/' \
        "$venv"/lib/python*/site-packages >/dev/null 2>&1 || :
}

# Print the uv that installs: the machine's own, or else for what tests need the one that their lock names.
find_uv() {
    command -v uv && return
    [ "${extent:-}" = dev ] || return
    make_with_pip
    if [ ! -x "$venv/bin/uv" ]; then
        awk '/^[^ #]/ { wanted = /^uv==/ } wanted' "$root/$lock" >"$venv/uv.txt"
        pip_install --require-hashes -r "$venv/uv.txt" >/dev/null && [ -x "$venv/bin/uv" ] || return
    fi
    echo "$venv/bin/uv"
}

# Install what the arguments name, as pip takes them: with uv in a third of pip's time, or with pip.
install() {
    { uv=$(find_uv) && [ -n "$uv" ] && install_with "$uv" "$@"; } || { make_with_pip && pip_install "$@"; } && compile_all
}

install_with() {
    [ -x "$venv/bin/python" ] || "$1" venv --quiet --python '>=3.11' "$venv" || return
    [ -t 2 ] && quiet= || quiet=--quiet
    say "installing with uv"
    uv=$1
    shift
    # shellcheck disable=SC2086 # empty, or one word
    "$uv" pip install $quiet --python "$venv/bin/python" "$@"
}

# Let the environment's own Python find the checkout, from any folder. One that $RUTTER_VENV names is left as it is: it
# may serve several checkouts.
link_checkout() {
    for site in "$venv"/lib/python*/site-packages; do
        linked=$(cat "$site/rutter-checkout.pth" 2>/dev/null)
        paths=$(printf '%s\n' "$root" "$root/ops/base/checkout")
        [ "$linked" = "$paths" ] || { echo "$paths" >"$site/rutter-checkout.pth"; } 2>/dev/null || :
    done
}

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
whole=$(cksum <"$root/requirements-dev.lock") || fail "requirements-dev.lock is missing"
if [ "${extent:-}" = dev ]; then
    lock=requirements-dev.lock stamp=$whole
    size="what the server, its tests and research need: about 270 MB to fetch, 1.3 GB on disk, a few minutes"
else
    lock=requirements.lock stamp=$(cksum <"$root/requirements.lock") || fail "requirements.lock is missing"
    size="what the server needs: about 40 MB to fetch, 190 MB on disk, about a minute"
fi
venv="${RUTTER_VENV:-$root/.venv}"
if ! is_filled; then
    if [ -z "${RUTTER_VENV:-}" ] && { [ ! -w "$root" ] || { [ -e "$venv" ] && [ ! -w "$venv" ]; }; }; then
        venv="$(private_folder)/venv" || exit 1
    fi
    if ! is_filled; then
        say "filling $venv from $lock, only the first time"
        say "with $size"
        install --require-hashes -r "$root/$lock" || fail "could not install $lock"
        echo "$stamp" >"$venv/rutter.stamp"
    fi
fi
[ -n "${RUTTER_VENV:-}" ] || link_checkout
python="$venv/bin/python"

# Here the checkout is found through PYTHONPATH, before anything of the same name.
export PYTHONPATH="$root:$root/ops/base/checkout${PYTHONPATH:+:$PYTHONPATH}"
