"""Several processes that make one call together, over mpi4py."""

import ctypes
import sys
from ctypes import c_int, c_size_t, c_void_p

import numpy as np

SendFunction = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t, c_size_t)

# MPI counts with 32 bits.
_MOST = 2**30


def _require_threads():
    """Raise if MPI may not be called from any thread, one at a time.

    A binding runs in a thread of its own, so that Ctrl-C reaches Python.
    """
    mpi = sys.modules.get("mpi4py.MPI")
    if mpi is None or mpi.Query_thread() >= mpi.THREAD_SERIALIZED:
        return
    level = ("MPI_THREAD_SINGLE" if mpi.Query_thread() == mpi.THREAD_SINGLE
             else "MPI_THREAD_FUNNELED")
    raise RuntimeError(
        f"communicator: MPI has started with {level}, but training needs "
        "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE; before you import "
        "mpi4py.MPI, leave mpi4py.rc.thread_level as it is, or set it to "
        "'serialized'")


class Ranks:
    """The processes of a communicator, as the library talks to them."""

    def __init__(self, communicator):
        if not all(hasattr(communicator, name)
                   for name in ("Send", "Recv", "Bcast", "Dup")):
            raise TypeError("communicator must be one of mpi4py, such as "
                            f"MPI.COMM_WORLD, not {communicator!r}")
        _require_threads()
        # One of its own, so that messages do not get mixed up with others.
        self.communicator = communicator.Dup()
        self.error = None
        # The library keeps no reference to them.
        self._functions = [SendFunction(self._mover(move)) for move in (
            self.communicator.Send, self.communicator.Recv,
            self.communicator.Bcast)]

    def free(self):
        """Give back what was taken for the call.

        All processes must do so; after an error, nobody knows whether they do.
        """
        self.communicator.Free()

    def require_same(self, values, text):
        """Raise on all processes if these are not the same on all."""
        if len(set(self.communicator.allgather(values))) > 1:
            raise ValueError(text)

    def _mover(self, move):
        """Moves bytes; an exception is told later, on the caller's thread."""
        def function(_, address, number, rank):
            try:
                for first in range(0, number, _MOST):
                    size = min(_MOST, number - first)
                    memory = (ctypes.c_uint8 * size).from_address(
                        address + first)
                    move(np.frombuffer(memory, np.uint8), int(rank))
                return 0
            except BaseException as error:
                self.error = error
                return 1
        return function

    def join(self, call):
        """Have these processes make a call together."""
        call.borrowed.append(self)
        call.library.call_on_ranks(
            call.handle, self.communicator.Get_rank(),
            self.communicator.Get_size(), *self._functions, None)

    def share_categories(self, categories, missing, rows):
        """The categories of all columns, of all processes.

        `categories` are a list of names for each column, or None for numbers;
        `missing` tells which columns have no value here.
        """
        if min(self.communicator.allgather(rows)) == 0:
            raise ValueError("has no rows on one of the processes")
        everywhere = self.communicator.allgather((categories, missing))
        if len({len(names) for names, _ in everywhere}) > 1:
            raise ValueError("must have the same number of columns on all "
                             "processes")
        shared = []
        for i in range(len(categories)):
            known = [names[i] for names, empty in everywhere if not empty[i]]
            words = [names for names in known if names is not None]
            if words and len(words) < len(known):
                raise ValueError(f"has words in column {i + 1} on one process "
                                 "and numbers on another")
            # In the order in which they come, first process first.
            shared.append(list(dict.fromkeys(sum(words, []))) if words
                          else None)
        return shared
