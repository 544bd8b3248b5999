"""What the tests of the command-line programs share."""

import os
import re
import subprocess

import pytest


class Result:
    """What a finished program has left behind."""

    def __init__(self, process):
        self.code = process.returncode
        # mlpack colours its prefixes whether or not a terminal reads them.
        self.out = re.sub("\033\\[[0-9;]*m", "", process.stdout)
        self.err = re.sub("\033\\[[0-9;]*m", "", process.stderr)


class Program:
    """The tiny program in a folder of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.path = os.environ["MLPACK_TINY"]
        self.command = []

    def run(self, *options):
        process = subprocess.run([*self.command, self.path,
                                  *map(str, options)], cwd=self.folder,
                                 capture_output=True, text=True, timeout=60)
        return Result(process)

    def good(self, *options):
        """Run, and expect success and silence about errors."""
        result = self.run(*options)
        assert result.code == 0, result.err
        assert result.err == ""
        return result

    def bad(self, *options):
        """Run, and expect failure told in exactly one line, and no new file."""
        before = self.listing()
        result = self.run(*options)
        assert result.code == 1
        lines = result.err.splitlines()
        assert len(lines) == 1, result.err
        assert lines[0].startswith("[FATAL] ")
        assert self.listing() == before
        return lines[0]

    def listing(self):
        return {path.name: path.read_bytes() for path in self.folder.iterdir()
                if path.is_file()}

    def write(self, name, text):
        data = text.encode() if isinstance(text, str) else text
        (self.folder / name).write_bytes(data)
        return name

    def read(self, name):
        return (self.folder / name).read_text()


@pytest.fixture
def tiny(tmp_path):
    return Program(tmp_path)
