#!/usr/bin/env bash
# The wasm32 standard library on a machine that reaches Debian's packages but not Rust's servers.
# Called by `cargo xtask` (setup/wasm_std.rs), not by hand.
#
#   debian-std.sh rust-src     the library sources of exactly the host compiler's version, compiled
#                              once by a copy (hard links) of that compiler
#   debian-std.sh rustc-web    Debian's own compiler for the web, with its sources; on the machine
#                              these two packages are installed
#
# From the environment: CACHE (a folder of the project), TARGET, and a PATH without the cache.
# Leaves CACHE/toolchain (bin, lib, .made-from = the host's `rustc -vV`) and CACHE/std-how.
set -euo pipefail
way=$1
: "${CACHE:?}" "${TARGET:?}"
toolchain=$CACHE/toolchain
fresh=$CACHE/toolchain.new
scratch=$CACHE/std-sources
host_path=$PATH
mkdir -p "$CACHE/logs"
trap 'rm -rf "$fresh" "$scratch" "$CACHE/apt"' EXIT

say() { printf '[xtask]   %s\n' "$*" >&2; }
give_up() { say "$*"; exit 1; }

# logged NAME COMMAND...: the output goes to a log, its end is shown when the command fails
logged() {
    local name=$1 log=$CACHE/logs/$1.log begun=$SECONDS
    shift
    if "$@" >"$log" 2>&1; then
        say "$name: done in $((SECONDS - begun)) s"
    else
        say "$name failed after $((SECONDS - begun)) s; the end of $log:"
        tail -n 15 "$log" >&2
        return 1
    fi
}

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
install_packages() {
    logged "install-$1" as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "$@"
}

# ------------------------------------------------------------------------------ compiling std
# compile_std LIBRARY: what Rust's own build does, with the rustc and cargo that are first on PATH:
# the package `sysroot` of the library workspace with its profile `dist` and its Cargo.lock.
# RUSTC_BOOTSTRAP allows the unstable features that the library itself uses, for this build only.
compile_std() {
    # A fixed folder and remapped paths: equal inputs must give equal crate hashes, or crates
    # compiled against an earlier build no longer link (E0460).
    local work=$CACHE/std-build commit
    commit=$(rustc -vV | sed -n 's/^commit-hash: //p')
    rm -rf "$work"
    mkdir -p "$work"
    cp -r "$1" "$work/library"
    (
        cd "$work/library"
        unset CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_TARGET CARGO_BUILD_RUSTFLAGS RUSTC_WRAPPER
        export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/target CARGO_PROFILE_DIST_DEBUG=0
        RUSTFLAGS="-Zforce-unstable-if-unmarked"
        RUSTFLAGS+=" --remap-path-prefix=$work/library=/rustc/$commit/library"
        RUSTFLAGS+=" --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}/registry/src=/rust/deps"
        export RUSTFLAGS
        nice -n 5 cargo build --locked --profile dist -p sysroot \
            --features panic-unwind,backtrace --target "$TARGET"
    ) || { rm -rf "$work"; return 1; }
    mkdir -p "$fresh/lib/rustlib/$TARGET/lib"
    cp "$work/target/$TARGET/dist/deps/"*.rlib "$fresh/lib/rustlib/$TARGET/lib/"
    rm -f "$fresh/lib/rustlib/$TARGET/lib/"libsysroot-*.rlib
    rm -rf "$work"
}

compile_std_with_fresh() { PATH=$fresh/bin:$host_path compile_std "$1"; }

# -------------------------------------------------------------------------- finding the sources
# Other suites of the archive that this machine already uses, with the same key, in a private apt
# configuration: it only downloads, and leaves the system's lists and packages as they are.
private_apt() {
    local tool=$1 dir=$CACHE/apt
    shift
    "$tool" -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$dir/etc" \
        -o Dir::State="$dir/state" -o Dir::State::status="$dir/status" -o Dir::Cache="$dir/cache" \
        -o APT::Sandbox::User=root -o Acquire::Languages=none \
        -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
        -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false "$@"
}
use_suite() {
    local archive dir=$CACHE/apt
    archive=$(apt-get indextargets --format '$(REPO_URI) $(COMPONENT)' 'Identifier: Packages' |
        awk '$2 == "main" && $1 !~ /security/ { print $1; exit }')
    [ -n "$archive" ] || return 1
    mkdir -p "$dir"/{etc,state/lists/partial,cache/archives/partial}
    : >"$dir/status"
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
        "$archive" "$1" /usr/share/keyrings/debian-archive-keyring.gpg >"$dir/etc/x.sources"
    private_apt apt-get update -qq
}
# first_of_release RELEASE: reads `apt-cache madison`, prints PACKAGE=VERSION of that release
first_of_release() { awk -v r="$1+" 'index($3, r) == 1 && !n++ { print $1 "=" $3 }'; }

# Prints the version that was downloaded into $scratch.
download_sources() {
    local release=$1 found suite
    found=$(apt-cache madison rust-web-src rust-src 2>/dev/null | first_of_release "$release")
    if [ -n "$found" ]; then
        logged rust-src-download apt-get -o APT::Sandbox::User=root download "$found" || return 1
        echo "$found"
        return
    fi
    for suite in trixie-backports trixie forky sid; do
        use_suite "$suite" >/dev/null 2>&1 || continue
        found=$(private_apt apt-cache madison rust-src 2>/dev/null | first_of_release "$release")
        [ -n "$found" ] || continue
        logged rust-src-download private_apt apt-get download "$found" || return 1
        echo "$found"
        return
    done
    return 1
}

# ------------------------------------------------------------------------------------- rust-src
from_rust_src() {
    local release sysroot found library part
    command -v apt-get >/dev/null && command -v dpkg-deb >/dev/null || give_up "there is no apt here"
    release=$(rustc -vV | sed -n 's/^release: //p')
    case $release in *-*) give_up "rustc $release is no release: Debian has no such sources" ;; esac
    say "looking for the library sources of rustc $release (usually 20 seconds)"
    logged apt-update as_root apt-get update -qq || true
    mkdir -p "$scratch"
    found=$(cd "$scratch" && download_sources "$release") ||
        give_up "no suite of Debian's archive has the sources of rustc $release"
    say "$found"
    # only the library, not the compiler's sources
    dpkg-deb --fsys-tarfile "$scratch"/*.deb |
        tar -x -C "$scratch" --wildcards './usr/src/*/library/*' || true
    library=$(echo "$scratch"/usr/src/rust*/library)
    [ -f "$library/Cargo.lock" ] || give_up "$found holds no library workspace"

    sysroot=$(readlink -f "$(rustc --print sysroot)")
    mkdir -p "$fresh"
    for part in bin lib libexec; do
        [ -d "$sysroot/$part" ] || continue
        # links where the cache is on the same file system, copies elsewhere
        cp -al "$sysroot/$part" "$fresh/" 2>/dev/null ||
            { rm -rf "${fresh:?}/$part"; cp -a "$sysroot/$part" "$fresh/"; }
    done
    rm -rf "$fresh/lib/rustlib/$TARGET"
    say "compiling std for $TARGET with $(rustc --version) (usually 30 seconds)"
    logged std-build compile_std_with_fresh "$library"
    how="rust-src $found"
}

# ------------------------------------------------------------------------------------ rustc-web
from_rustc_web() {
    local web=/usr/bin/rustc host library linker program
    command -v apt-get >/dev/null || give_up "there is no apt here"
    logged apt-update as_root apt-get update -qq || true
    install_packages rustc-web rust-web-src
    library=$(echo /usr/src/rustc-web-*/library)
    [ -f "$library/Cargo.lock" ] || library=$(ls -d /usr/src/rustc*/library | tail -n 1)
    host=$($web -vV | sed -n 's/^host: //p')
    linker=$(rustc --print sysroot)/lib/rustlib/$host/bin
    if [ ! -x "$linker/rust-lld" ]; then
        install_packages rust-web-llvm
        linker=
    fi
    mkdir -p "$fresh/bin" "$fresh/lib/rustlib/$host"
    ln -s "/usr/lib/rustlib/$host/lib" "$fresh/lib/rustlib/$host/lib"
    [ -z "$linker" ] || ln -s "$linker" "$fresh/lib/rustlib/$host/bin"
    # thin wrappers: Debian's compiler with the folder that they lie in as its sysroot
    for program in rustc rustdoc; do
        printf '#!/bin/sh\nexec /usr/bin/%s --sysroot "$(dirname "$(dirname "$0")")" "$@"\n' \
            "$program" >"$fresh/bin/$program"
        chmod +x "$fresh/bin/$program"
    done
    ln -s "$(rustup which cargo 2>/dev/null || command -v cargo)" "$fresh/bin/cargo"
    say "compiling std for $TARGET with Debian's $($web --version) (usually 1 minute)"
    logged std-build compile_std_with_fresh "$library"
    how="rustc-web $($web --version)"
}

how=
rm -rf "$fresh" "$scratch"
case $way in
    rust-src) from_rust_src ;;
    rustc-web) from_rustc_web ;;
    *) give_up "there is no way '$way'" ;;
esac
rustc -vV | tr '\n' ' ' >"$fresh/.made-from"
rm -rf "$toolchain"
mv "$fresh" "$toolchain"
echo "$how" >"$CACHE/std-how"
