"""Builds the wheel of this folder's package, with the standard library only.

The package is complete as it lies here: modules and a shared library.  Making
it a wheel is packing it into a zip file, so pip needs neither network nor
setuptools:

    pip install --no-index --no-build-isolation <this folder>
    python3 wheel_backend.py dist        # just the wheel
"""

import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def _project():
    """The few fields of pyproject.toml; tomllib is too new to rely on."""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    return {key: re.search(rf'^{key} = "(.*)"$', text, re.M).group(1)
            for key in ("name", "version", "description", "requires-python")}


def _tag():
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"py3-none-{platform}"


def _files(name):
    for path in sorted((HERE / name).rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(HERE).as_posix(), path.read_bytes()


def _metadata(project):
    return (f"Metadata-Version: 2.1\nName: {project['name']}\n"
            f"Version: {project['version']}\n"
            f"Summary: {project['description']}\n"
            f"Requires-Python: {project['requires-python']}\n"
            "Requires-Dist: numpy\n")


def build_wheel(wheel_directory, config_settings=None,
                metadata_directory=None):
    """PEP 517's hook; returns the name of the wheel."""
    project = _project()
    stem = f"{project['name']}-{project['version']}"
    info = stem + ".dist-info"
    files = dict(_files(project["name"]))
    files[info + "/METADATA"] = _metadata(project).encode()
    files[info + "/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: wheel_backend\n"
                              "Root-Is-Purelib: false\n"
                              f"Tag: {_tag()}\n").encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
        record += f"{name},sha256={digest.rstrip(b'=').decode()},{len(data)}\n"
    record += f"{info}/RECORD,,\n"
    files[info + "/RECORD"] = record.encode()

    wheel = f"{stem}-{_tag()}.whl"
    folder = pathlib.Path(wheel_directory)
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # A fixed date: the same package gives the same bytes.
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else HERE / "dist"))
