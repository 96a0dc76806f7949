# Sourced by the other scripts: where things are, and installing what is missing.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck disable=SC2034 # for those who source this
build=${CM_BUILD:-$root/build}

say() {
    printf '%s\n' "$*" >&2
}

# as_root CMD...: as it is for root, through sudo for others.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        say "This needs root to install packages: run it as root, or install sudo."
        return 1
    fi
}

# The names of one section of packages.txt ("build" or "tests and checks").
packages() {
    awk -v want="# $1" '/^#/ { on = ($0 == want); next } on && NF' "$root/scripts/packages.txt"
}

# Node.js counts as there when a command of that name is: it need not be Debian's.
is_installed() {
    case $1 in
    nodejs) command -v node >/dev/null ;;
    npm) command -v npm >/dev/null ;;
    *) dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
    esac
}

# install_packages SECTION...: installs what is missing of them.
install_packages() {
    local section name missing=()
    for section in "$@"; do
        while read -r name; do
            is_installed "$name" || missing+=("$name")
        done < <(packages "$section")
    done
    [ "${#missing[@]}" -eq 0 ] && return
    command -v apt-get >/dev/null || {
        say "This needs Debian 12, or these packages: ${missing[*]}"
        return 1
    }
    say "Installing from Debian: ${missing[*]}"
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
        "${missing[@]}" >&2
}

# npm_packages DIR: installs what its lock file says, unless it is there already.
npm_packages() {
    [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] && return
    say "Installing from npm: what $1/package.json lists"
    (cd "$1" && npm ci --silent --ignore-scripts) >&2 && touch "$1/node_modules/.package-lock.json"
}

# compile DIR [MESON OPTION...]: configures and builds; output only when it fails.
compile() {
    local dir=$1 log verb=setup
    shift
    npm_packages "$root/runtime" || return # the surface is bundled from and with these
    log=$(mktemp)
    [ -f "$dir/build.ninja" ] && verb=configure
    if (cd "$root" && meson "$verb" "$dir" "$@" && ninja -C "$dir") >"$log" 2>&1; then
        rm -f "$log"
        return
    fi
    cat "$log" >&2
    rm -f "$log"
    return 1
}

# host_packages: the npm packages of the workspace, and a Node.js that they are for: that of
# Debian 12 is older.
host_packages() {
    npm_packages "$root" || return
    [ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] ||
        PATH=$(echo "$root"/node_modules/node-linux-*/bin):$PATH
}
