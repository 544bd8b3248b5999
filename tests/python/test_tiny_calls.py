"""Threads, Ctrl-C, memory, and what the package says of itself."""

import inspect
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import mlpack_tiny
from mlpack_tiny import tiny


def test_signature_and_documentation():
    parameters = inspect.signature(tiny).parameters
    assert parameters["scale"].default == 1.0
    assert parameters["operation"].default == "scale"
    assert parameters["numbers"].default is None
    assert list(parameters)[-1] == "verbose"
    for name in parameters:
        assert f"\n{name} : " in inspect.getdoc(tiny)
    assert ">>> output = tiny(input_=data, scale=2" in tiny.__doc__
    assert set(mlpack_tiny.__all__) == {"tiny", "TinyModel"}


def test_no_other_dependency_than_numpy():
    code = ("import sys\n"
            "for name in ('pandas', 'sklearn', 'scipy'):\n"
            "    sys.modules[name] = None\n"
            "import numpy as np\n"
            "from mlpack_tiny import tiny\n"
            "tiny(matrix=np.eye(2), input_=[['a']])\n")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_threads_do_not_mix():
    failures = []

    def work(seed):
        for i in range(50):
            try:
                scale = float(seed * 1000 + i)
                with_error = i % 3 == 0
                if with_error:
                    with pytest.raises(ValueError, match=rf"\(-{seed + 1}\)"):
                        tiny(shift=-seed - 1)
                result = tiny(matrix=np.full((20, 5), seed), scale=scale)
                assert (result["matrix_out"] == seed * scale).all()
            except BaseException as error:
                failures.append(error)

    threads = [threading.Thread(target=work, args=(s,)) for s in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_interpreter_runs_meanwhile():
    # The lock of the interpreter is not held while the binding runs.
    done = threading.Event()
    thread = threading.Thread(target=done.wait, daemon=True)
    thread.start()
    ticks = []

    def work():
        try:
            tiny(operation="wait")
        except BaseException:
            pass

    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    start = time.monotonic()
    while time.monotonic() - start < 0.3:
        ticks.append(time.sleep(0.01))
    assert worker.is_alive() and len(ticks) > 10
    done.set()


INTERRUPTED = """
import time
from mlpack_tiny import tiny
print("ready", flush=True)
start = time.monotonic()
try:
    tiny(operation="wait")
except KeyboardInterrupt:
    assert tiny(scale=2.0)["scale_out"] == 2.0
    print("stopped", flush=True)
"""


@pytest.mark.parametrize("times", [1, 3])
def test_ctrl_c(times):
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    for _ in range(times):
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert time.monotonic() - start < 5
    if times == 1:
        assert process.returncode == 0 and out == "stopped\n", err


def _resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_no_memory_is_lost():
    data = np.ones((1000, 100))
    for _ in range(20):
        tiny(matrix=data)
    before = _resident()
    for _ in range(200):
        tiny(matrix=data, input_=data)
    assert _resident() - before < 20 * data.nbytes


def test_no_copy():
    """C-ordered float64 is used in place: the library is given its address."""
    from mlpack_tiny._runtime import convert
    from mlpack_tiny._runtime.library import BORROW
    data = np.ones((1000, 100))
    for array, (address, rows, cols, flags) in (
            convert.to_matrix(data, "matrix", True),
            convert.to_matrix_info(data, True)[:2]):
        assert array is data and address == data.ctypes.data
        assert (rows, cols, flags) == (100, 1000, BORROW)
    # So is an F-ordered one where the binding wants points in rows.
    data = np.asfortranarray(data)
    _, (address, rows, cols, flags) = convert.to_matrix(data, "matrix", False)
    assert address == data.ctypes.data
    assert (rows, cols, flags) == (1000, 100, BORROW)


def test_pip_installs_without_network(tmp_path):
    source = pathlib.Path(mlpack_tiny.__file__).parent.parent
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps",
         "--no-build-isolation", "--target", str(tmp_path), str(source)],
        check=True, capture_output=True)
    code = ("import mlpack_tiny, numpy\n"
            "mlpack_tiny.tiny(matrix=numpy.eye(2))\n"
            "print(mlpack_tiny.__file__)")
    result = subprocess.run([sys.executable, "-c", code], check=True,
                            text=True, capture_output=True, cwd=tmp_path,
                            env={**os.environ, "PYTHONPATH": str(tmp_path)})
    assert result.stdout.startswith(str(tmp_path))
