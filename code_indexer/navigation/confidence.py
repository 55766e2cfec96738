"""How sure it is that a place means a definition, from the surest down.

``exact`` needs a proof in the file itself or in one of its imports, ``likely`` says that kind and
receiver fit, ``heuristic`` that nothing speaks against the name.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from code_indexer.types import Confidence

CONFIDENCE_ORDER: Final[Mapping[Confidence, int]] = {"exact": 0, "likely": 1, "heuristic": 2}


def surest(judgements: Iterable[Confidence | None]) -> Confidence | None:
    """The surest of *judgements*; None when each of them says that it cannot be."""
    possible = [each for each in judgements if each is not None]
    return min(possible, key=CONFIDENCE_ORDER.__getitem__, default=None)
