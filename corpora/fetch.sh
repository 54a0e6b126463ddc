#!/usr/bin/env bash
# Brings big real documents from Debian's packages, by their names, into corpora/fetched (which git ignores),
# and writes some of them again in the charsets of their languages.
#
#   corpora/fetch.sh          everything, about 2 GB on disk
#   corpora/fetch.sh --small  what a check of a few minutes can read
#
# A package that cannot be had is named and left out. Run again, it does only what is missing.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
into=$here/fetched

small=(apache2-doc debian-reference-ja debian-reference-fr developers-reference-ru developers-reference-ja)
large=(
    python3.11-doc postgresql-doc-15 debian-handbook
    debian-reference-de debian-reference-es debian-reference-it debian-reference-pt debian-reference-zh-cn
    developers-reference-de gimp-help-ja gimp-help-ru libreoffice-help-ja libreoffice-help-ru
    installation-guide-amd64 openjdk-17-doc libboost1.81-doc gnome-user-docs
)

# What is written again: charset, package, part of the path, most files.
reencoded=(
    "shift_jis   debian-reference-ja     /         40"
    "euc-jp      debian-reference-ja     /         40"
    "iso-2022-jp debian-reference-ja     /         40"
    "shift_jis   developers-reference-ja /         40"
    "shift_jis   apache2-doc             /ja/       200"
    "euc-jp      apache2-doc             /ja/       200"
    "euc-kr      apache2-doc             /ko/       200"
    "windows-1252 apache2-doc            /fr/       200"
    "windows-1254 apache2-doc            /tr/       200"
    "koi8-r      developers-reference-ru /         40"
    "windows-1251 developers-reference-ru /        40"
    "utf-16le    developers-reference-ru /         10"
    "utf-16be    debian-reference-fr     /         10"
    "gb18030     debian-reference-zh-cn  /         40"
    "gbk         debian-reference-zh-cn  /         40"
    "gb18030     installation-guide-amd64 /zh_CN/  100"
    "iso-8859-7  installation-guide-amd64 /el/     100"
    "windows-1250 installation-guide-amd64 /cs/    100"
    "koi8-r      installation-guide-amd64 /ru/     100"
    "big5        debian-handbook         /zh-TW/   200"
    "windows-1256 debian-handbook        /ar-MA/   100"
    "windows-1258 debian-handbook        /vi-VN/   100"
    "windows-1255 gnome-user-docs        /he/      200"
    "iso-8859-2  gnome-user-docs         /hu/      200"
    "shift_jis   gimp-help-ja            /         200"
    "windows-1251 gimp-help-ru           /         200"
    "windows-1251 libreoffice-help-ru    /         200"
    "shift_jis   libreoffice-help-ja     /         200"
)

say() { printf 'fetch: %s\n' "$*" >&2; }

# Unpacks one package below its name; its mark is written last, so that a broken run is done again.
bring() {
    local package=$1 folder=$into/$1 work
    [ -e "$folder/.complete" ] && return 0
    work=$(mktemp -d "$into/.work.XXXXXX")
    if ! (cd "$work" && apt-get -q download "$package" >log 2>&1); then
        say "$package: cannot be had ($(tail -n 1 "$work/log"))"
        rm -rf "$work"
        return 1
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    dpkg-deb -x "$work"/*.deb "$work/root"
    documents "$work/root" "$folder"
    rm -rf "$work"
    touch "$folder/.complete"
    say "$package: $(find "$folder" -type f | wc -l) files"
}

# Moves the documents of an unpacked package, without links and without what is no document; unzips what is zipped.
documents() {
    local root=$1 folder=$2
    find "$root" -type l -delete
    find "$root" -type f -name '*.gz' -exec gzip -df {} +
    (cd "$root" && find . -type f \( -name '*.html*' -o -name '*.htm' -o -name '*.xhtml' -o -name '*.xml' \
        -o -name '*.svg' -o -name '*.css' -o -name '*.txt' -o -name '*.page' -o -name '*.xsl' \) -print0 |
        tar --null -cf - -T -) | tar -xf - -C "$folder"
}

again() {
    local charset package part most
    for row in "${reencoded[@]}"; do
        read -r charset package part most <<<"$row"
        [ -e "$into/$package/.complete" ] || continue
        python3 "$here/reencode.py" "$charset" "$into/$package" "$part" "$most" "$into/reencoded/$charset/$package"
    done
}

main() {
    local packages=("${small[@]}") missing=() package
    case ${1-} in
    '') packages+=("${large[@]}") ;;
    --small) ;;
    *)
        say "unknown option $1"
        exit 2
        ;;
    esac
    mkdir -p "$into"
    for package in "${packages[@]}"; do
        bring "$package" || missing+=("$package")
    done
    again
    [ ${#missing[@]} -eq 0 ] || say "left out: ${missing[*]}"
    [ ${#missing[@]} -lt ${#packages[@]} ] || exit 1
    say "$(find "$into" -type f | wc -l) files, $(du -sh "$into" | cut -f 1) in $into"
}

main "$@"
