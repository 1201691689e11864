"""Packs the command: a tarball, a Debian package, licences and a list of ingredients.

Called by scripts/dist.sh in a clone of the commit. The same files give the same bytes: entries are sorted, belong to
root and carry the time of the commit.
"""

import argparse
import gzip
import hashlib
import io
import json
import lzma
import os
import re
import subprocess
import tarfile
import uuid
from pathlib import Path

EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
TARGET = "x86_64-unknown-linux-gnu"
SHELLS = {
    "bash": "share/bash-completion/completions/quip",
    "zsh": "share/zsh/vendor-completions/_quip",
    "fish": "share/fish/vendor_completions.d/quip.fish",
}
#: Models that people can try at once.
SHOWN = ("or", "corner", "sets", "rules", "plain")

Files = dict[str, tuple[bytes, int]]


def said(*command: str) -> bytes:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def installed(command: str, licences: bytes) -> Files:
    """Everything below the prefix, by path: bytes and mode."""
    files: Files = {"bin/quip": (Path(command).read_bytes(), 0o755)}
    names = re.findall(r"^  ([a-z]+)  ", said(command, "--help").decode(), re.MULTILINE)
    commands = [None, *sorted(set(names) - {"help"})]
    for name in commands:
        page = said(command, "man", *([name] if name else []))
        title = f"quip-{name}" if name else "quip"
        files[f"share/man/man1/{title}.1.gz"] = (zipped(page), 0o644)
    for shell, path in SHELLS.items():
        files[path] = (said(command, "completions", shell), 0o644)
    for name in ("README.md", "CHANGELOG.md", "LICENSE"):
        files[f"share/doc/quip/{name}"] = (Path(name).read_bytes(), 0o644)
    files["share/doc/quip/LICENSES.txt"] = (licences, 0o644)
    pages = [*Path("docs").rglob("*.md"), *Path("docs").rglob("*.svg")]
    models = [path for name in SHOWN for path in Path("models", name).rglob("*") if path.is_file()]
    for path in [*pages, *models]:
        files[f"share/doc/quip/{path}"] = (path.read_bytes(), 0o644)
    return files


def zipped(data: bytes) -> bytes:
    return gzip.compress(data, compresslevel=9, mtime=0)


def tarball(files: Files, prefix: str) -> bytes:
    """A tar of the files and of the folders above them, sorted."""
    folders = {str(above) for path in files for above in Path(prefix, path).parents if str(above) != "."}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for folder in sorted(folders):
            tar.addfile(entry(f"{folder}/", 0o755, tarfile.DIRTYPE))
        for path in sorted(files):
            data, mode = files[path]
            head = entry(str(Path(prefix, path)), mode, tarfile.REGTYPE)
            head.size = len(data)
            tar.addfile(head, io.BytesIO(data))
    return out.getvalue()


def entry(name: str, mode: int, kind: bytes) -> tarfile.TarInfo:
    head = tarfile.TarInfo(name)
    head.mode, head.type, head.mtime = mode, kind, EPOCH
    head.uname = head.gname = "root"
    return head


def debian(files: Files, version: str, glibc: str) -> bytes:
    """An `ar` of the version of the format, the control files and the files."""
    files = {(f"usr/{path}"): content for path, content in files.items()}
    # Debian looks for licences under this name.
    files["usr/share/doc/quip/copyright"] = files.pop("usr/share/doc/quip/LICENSES.txt")
    size = sum(-(-len(data) // 1024) for data, _ in files.values())
    author = said("git", "log", "-1", "--format=%an <%ae>").decode().strip()
    control = f"""\
Package: quip
Version: {version}
Architecture: amd64
Maintainer: {author}
Installed-Size: {size}
Depends: libc6 (>= {glibc})
Suggests: graphviz, chromium
Section: math
Priority: optional
Description: exact, certified solver for quantified integer linear programs
 Linear programs in which an opponent decides some of the variables: robust and
 multistage planning, two-player games, quantified Boolean formulas. Answers
 are exact and come with certificates that a separate checker verifies.
"""
    sums = "".join(f"{hashlib.md5(data).hexdigest()}  {path}\n" for path, (data, _) in sorted(files.items()))
    inner = {"control": (control.encode(), 0o644), "md5sums": (sums.encode(), 0o644)}
    members = {
        "debian-binary": b"2.0\n",
        "control.tar.xz": lzma.compress(tarball(inner, "."), preset=9),
        "data.tar.xz": lzma.compress(tarball(files, "."), preset=9),
    }
    out = b"!<arch>\n"
    for name, data in members.items():
        out += f"{name:<16}{EPOCH:<12}{0:<6}{0:<6}{0o100644:<8o}{len(data):<10}`\n".encode()
        out += data + b"\n" * (len(data) % 2)
    return out


def ingredients() -> list[dict]:
    """The packages whose code is in the command or in the wheel, in the order of their names."""
    metadata = json.loads(said("cargo", "metadata", "--locked", "--format-version=1", f"--filter-platform={TARGET}"))
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    own = set(metadata["workspace_members"])
    open_, found = [id for id in own], set()
    while open_:
        for dependency in nodes[open_.pop()]["deps"]:
            kinds = {kind["kind"] for kind in dependency["dep_kinds"]}
            # What only build scripts and tests need is not packed.
            if None in kinds and dependency["pkg"] not in found | own:
                found.add(dependency["pkg"])
                open_.append(dependency["pkg"])
    return sorted((packages[id] for id in found), key=lambda it: (it["name"], it["version"]))


def licences_of(folder: Path) -> dict[str, str]:
    """The licences that lie in a folder, by their path."""
    names = re.compile(r"(licen[cs]e|copying|notice|unlicense)[^/]*$", re.IGNORECASE)
    texts = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and names.search(path.name) and path.suffix not in (".rs", ".py", ".pyc", ".cpp", ".h"):
            texts[str(path.relative_to(folder))] = path.read_text(errors="replace").strip()
    return texts


def licences(packages: list[dict], tools: Path) -> bytes:
    """Who owns what is inside, and every licence once."""
    zig = next(tools.glob("lib/python3*/site-packages/ziglang"))
    holders: dict[str, list[str]] = {}
    lines = ["quip itself is under the MIT licence:", "", Path("LICENSE").read_text().strip(), ""]
    lines += ["It contains these packages:", ""]
    for package in packages:
        lines.append(f"  {package['name']} {package['version']}: {package['license'] or 'see its text'}")
        for path, text in licences_of(Path(package["manifest_path"]).parent).items():
            holders.setdefault(text, []).append(f"{package['name']} {package['version']}, {path}")
    lines.append("  libc++, libc++abi, libunwind, compiler-rt: Apache-2.0 WITH LLVM-exception")
    lines.append("  the standard library of Rust: MIT OR Apache-2.0")
    for name in ("libcxx", "libunwind"):
        for path, text in licences_of(zig / "lib" / name).items():
            holders.setdefault(text, []).append(f"{name}, {path}")
    for text, of in holders.items():
        lines += ["", "-" * 80, *of, "", text]
    return ("\n".join(lines) + "\n").encode()


def bill(packages: list[dict], version: str) -> bytes:
    """The list of ingredients, in the CycloneDX format."""
    checksums = {}
    for block in Path("Cargo.lock").read_text().split("[[package]]"):
        fields = dict(re.findall(r'^(name|version|checksum) = "(.*)"$', block, re.MULTILINE))
        if "checksum" in fields:
            checksums[fields["name"], fields["version"]] = fields["checksum"]
    components = []
    for package in packages:
        name, number = package["name"], package["version"]
        component = {
            "type": "library",
            "bom-ref": f"pkg:cargo/{name}@{number}",
            "name": name,
            "version": number,
            "purl": f"pkg:cargo/{name}@{number}",
        }
        if package["license"]:
            component["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if (name, number) in checksums:
            component["hashes"] = [{"alg": "SHA-256", "content": checksums[name, number]}]
        components.append(component)
    commit = os.environ["QUIP_COMMIT"]
    compiler = said("rustc", "--version").decode().split()[1]
    components += [
        {"type": "library", "bom-ref": "HiGHS", "name": "HiGHS", "version": highs(packages), "licenses": [{"license": {"id": "MIT"}}]},
        {"type": "library", "bom-ref": "rust-std", "name": "rust-std", "version": compiler, "licenses": [{"expression": "MIT OR Apache-2.0"}]},
    ]
    time = subprocess.run(["date", "-u", "-d", f"@{EPOCH}", "+%Y-%m-%dT%H:%M:%SZ"], check=True, capture_output=True, text=True)
    whole = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, f'quip {version} {commit}')}",
        "version": 1,
        "metadata": {
            "timestamp": time.stdout.strip(),
            "component": {
                "type": "application",
                "bom-ref": "quip",
                "name": "quip",
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
                "properties": [{"name": "commit", "value": commit}],
            },
        },
        "components": components,
    }
    return (json.dumps(whole, indent=2) + "\n").encode()


def highs(packages: list[dict]) -> str:
    source = next(Path(it["manifest_path"]).parent for it in packages if it["name"] == "highs-sys")
    parts = dict(re.findall(r"^HIGHS_(MAJOR|MINOR|PATCH)=(\d+)", (source / "HiGHS/Version.txt").read_text(), re.MULTILINE))
    return ".".join(parts[it] for it in ("MAJOR", "MINOR", "PATCH"))


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("version", "command", "glibc", "tools", "out"):
        parser.add_argument(f"--{name}", required=True)
    wanted = parser.parse_args()
    out, version = Path(wanted.out), wanted.version
    packages = ingredients()
    files = installed(wanted.command, licences(packages, Path(wanted.tools)))
    name = f"quip-{version}-x86_64-linux"
    (out / f"{name}.tar.gz").write_bytes(zipped(tarball(files, name)))
    (out / f"quip_{version}_amd64.deb").write_bytes(debian(files, version, wanted.glibc))
    (out / f"quip-{version}.cdx.json").write_bytes(bill(packages, version))


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError) as reason:
        raise SystemExit(f"pack: {reason}") from None
