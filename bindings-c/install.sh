#!/bin/sh
# Installs the C library: header, shared and static library, pkg-config file.
#
#   cargo build --release -p delayq-c && sudo sh bindings-c/install.sh
#
# PREFIX           where the files will live           (/usr/local)
# LIBDIR           the folder of the libraries          ($PREFIX/lib)
# DESTDIR          put before every path, for packagers (none)
# KINDS            which libraries                      ("shared static")
# DELAYQ_C_LIBDIR  where cargo built them               (target/release)
#
# Link with `cc app.c $(pkg-config --cflags --libs delayq)`. To link statically, install with KINDS=static and use
# `pkg-config --static`, or name the archive: `cc app.c $(pkg-config --cflags delayq) $PREFIX/lib/libdelayq.a`.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
prefix=${PREFIX:-/usr/local}
libdir=${LIBDIR:-$prefix/lib}
includedir=$prefix/include
dest=${DESTDIR:-}
kinds=${KINDS:-shared static}
built=${DELAYQ_C_LIBDIR:-${CARGO_TARGET_DIR:-$root/target}/release}
header=$root/include/delayq.h
version=$(sed -n 's/^#define DELAYQ_VERSION "\(.*\)"$/\1/p' "$header")
major=${version%%.*}

for kind in $kinds; do
    case $kind in
    shared) file=libdelayq.so ;;
    static) file=libdelayq.a ;;
    *) echo "KINDS may name shared and static, not $kind" >&2; exit 2 ;;
    esac
    if [ ! -f "$built/$file" ]; then
        echo "$built/$file is missing; build it first: cargo build --release -p delayq-c" >&2
        exit 1
    fi
done

install -d "$dest$includedir" "$dest$libdir/pkgconfig"
install -m 644 "$header" "$dest$includedir/delayq.h"
for kind in $kinds; do
    if [ "$kind" = shared ]; then
        install -m 755 "$built/libdelayq.so" "$dest$libdir/libdelayq.so.$version"
        ln -sf "libdelayq.so.$version" "$dest$libdir/libdelayq.so.$major"
        ln -sf "libdelayq.so.$major" "$dest$libdir/libdelayq.so"
    else
        install -m 644 "$built/libdelayq.a" "$dest$libdir/libdelayq.a"
    fi
done
sed -e "s|@PREFIX@|$prefix|" -e "s|@LIBDIR@|$libdir|" -e "s|@INCLUDEDIR@|$includedir|" -e "s|@VERSION@|$version|" \
    "$here/delayq.pc.in" > "$dest$libdir/pkgconfig/delayq.pc"
chmod 644 "$dest$libdir/pkgconfig/delayq.pc"
