"""Running a test's question as a user whom file modes bind."""

import os
import pickle
import warnings
from collections.abc import Callable
from typing import TypeVar

_NOBODY = 65534
_Result = TypeVar("_Result")


def as_ordinary_user(question: Callable[[], _Result]) -> _Result:
    """What *question* gives when it is asked by somebody else than root."""
    if os.getuid() != 0:
        return question()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # The child only looks at files and leaves: threads of the test run do not matter to it.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setresgid(_NOBODY, _NOBODY, _NOBODY)
            os.setresuid(_NOBODY, _NOBODY, _NOBODY)
            with os.fdopen(writing, "wb") as pipe:
                pickle.dump(question(), pipe)
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    result: _Result = pickle.loads(answer)
    return result
