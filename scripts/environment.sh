# Sourced by the scripts beside it, in the checkout's root: makes .venv what pyproject.toml asks for.

# Installs Byssus with some of its extras, unless that has been done for this pyproject.toml.
# $1: the extras, e.g. demo or demo,test.
make_environment() {
    local stamp=".venv/installed-${1//,/-}" wanted
    wanted="$(sha256sum pyproject.toml | cut -d ' ' -f 1) $PWD"
    if [[ "$(cat "$stamp" 2>/dev/null)" == "$wanted" ]]; then
        return
    fi
    if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "Byssus needs Python 3.11 or newer as python3." >&2
        exit 1
    fi
    if ! python3 -c 'import ensurepip' 2>/dev/null; then
        install_packages python3-venv || exit 1
    fi
    echo "Installing into .venv ..."
    python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --quiet --editable ".[$1]"
    echo "$wanted" >"$stamp"
}

# Installs Debian packages as root; says how to otherwise.
install_packages() {
    if [[ "$(id -u)" != 0 ]] || ! command -v apt-get >/dev/null; then
        echo "Missing packages; as root: apt-get install $*" >&2
        return 1
    fi
    echo "Installing $* ..."
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}
