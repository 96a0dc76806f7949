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

# The npm packages that the surface is bundled from and with.
install_runtime_packages() {
    local runtime=$root/runtime
    [ "$runtime/node_modules/.package-lock.json" -nt "$runtime/package-lock.json" ] && return
    say "Installing from npm: what runtime/package.json lists"
    (cd "$runtime" && npm ci --silent) >&2 && touch "$runtime/node_modules/.package-lock.json"
}

# compile DIR [MESON OPTION...]: configures and builds; output only when it fails.
compile() {
    local dir=$1 log verb=setup
    shift
    install_runtime_packages || return
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

# npm_packages: what the lock file says, unless it is there already. Debian 12's Node.js
# is older than what the packages are for: one of these then takes its place.
npm_packages() {
    if ! [ "$root/node_modules/.package-lock.json" -nt "$root/package-lock.json" ]; then
        say "Installing npm packages for the tests"
        (cd "$root" && npm ci --ignore-scripts --no-audit --no-fund) >&2 || return 1
    fi
    [ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] ||
        PATH=$(echo "$root"/node_modules/node-linux-*/bin):$PATH
}
