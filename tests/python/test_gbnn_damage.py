"""Damaged model files in Python: refused, with little memory and no crash."""

import re
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest

from mlpack_gbnn import GBNNModel, gbnn

FORMATS = {".bin": 0, ".json": 1, ".xml": 2}


@pytest.fixture(scope="module")
def model():
    points = np.arange(24.0).reshape(12, 2) % 5
    return gbnn(training=points, labels=np.arange(12) % 2, hidden_units=1,
                seed=1, input_encoding="linear",
                refine_iterations=0)["output_model"]


def refused(data, form):
    with pytest.raises(ValueError):
        GBNNModel._from_bytes(data, form)


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_every_truncation(model, form):
    data = model._to_bytes(form)
    assert GBNNModel._from_bytes(data, form)._to_bytes(form) == data
    for size in range(len(data)):
        refused(data[:size], form)


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_every_bit(model, form):
    data = model._to_bytes(form)
    for bit in range(8 * len(data)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        refused(bytes(changed), form)


def test_every_bit_behind_a_checksum_that_fits(model):
    """As of somebody who wants to do harm: an error, or a model that works."""
    data = model._to_bytes()
    loaded = 0
    for bit in range(8 * (len(data) - 4)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        changed[-4:] = struct.pack("<I", zlib.crc32(changed[:-4]))
        try:
            other = GBNNModel._from_bytes(bytes(changed))
        except (ValueError, MemoryError):
            continue
        loaded += 1
        gbnn(input_model=other, test=np.ones((3, 2)))
    assert loaded > 0


def limited(code, megabytes=400):
    """Run code in a process, which must not take more memory."""
    # Not ru_maxrss: that has what pytest took before it started this process.
    code = ("import re; from mlpack_gbnn import GBNNModel\n"
            "def refused(data, form):\n"
            "    try: GBNNModel._from_bytes(data, form)\n"
            "    except ValueError as error: print(error)\n" + code +
            "\nprint('most', re.search(r'VmHWM:\\s*(\\d+)', "
            "open('/proc/self/status').read())[1])")
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert int(run.stdout.split("most ")[1]) < 1024 * megabytes
    return run.stdout


def test_nesting(model):
    out = limited("refused(b'{\"model\": ' + b'[' * 150000, 1)\n"
                  "refused(b'<cereal><model>' + b'<a>' * 60000, 2)")
    assert out.count("nested more than 100 deep") == 2


def test_sizes_that_lie(model, tmp_path):
    text = model._to_bytes(1).decode()
    text = re.sub(r',\s*"checksum": "\w+"', "", text)
    text = re.sub(r'"n_rows": "?\d+"?', '"n_rows": "150000000"', text)
    (tmp_path / "lie.json").write_text(text)
    data = model._to_bytes()
    lies = []
    for place in range(len(data) - 24):
        if 0 < struct.unpack_from("<Q", data, place)[0] < 50:
            changed = bytearray(data)
            struct.pack_into("<Q", changed, place, 150000000)
            changed[-4:] = struct.pack("<I", zlib.crc32(changed[:-4]))
            lies.append(bytes(changed))
    assert len(lies) > 10
    (tmp_path / "lies.bin").write_bytes(b"".join(lies))
    out = limited(
        f"refused(open({str(tmp_path / 'lie.json')!r}, 'rb').read(), 1)\n"
        f"lies = open({str(tmp_path / 'lies.bin')!r}, 'rb').read()\n"
        f"for i in range(0, len(lies), {len(data)}):\n"
        f"    refused(lies[i:i + {len(data)}], 0)")
    assert "more elements than it has bytes" in out


def test_newer_version(model, tmp_path):
    data = model._to_bytes()[:-8] + struct.pack("<I", 2)
    path = tmp_path / "new.bin"
    path.write_bytes(data + struct.pack("<I", zlib.crc32(data)))
    with pytest.raises(ValueError, match="new.bin': the model is of a newer version"):
        GBNNModel.load(path)


def test_save_replaces_a_file_whole(model, tmp_path):
    path = tmp_path / "model.bin"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link = tmp_path / "link.bin"
    link.symlink_to(path)
    model.save(link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    assert path.read_bytes() == model._to_bytes()
    assert len(list(tmp_path.iterdir())) == 2
    with pytest.raises(OSError, match="cannot be written"):
        model.save(tmp_path / ("x" * 300 + ".bin"))
