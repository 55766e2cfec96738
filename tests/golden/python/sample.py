"""Accounts of a small bank."""

from __future__ import annotations

import functools
import os.path as osp
from collections import OrderedDict as Ordered, deque
from . import ledger
from .errors import *

LIMIT = 100
balance, owner = 0, "nobody"
total: int = 3
type Money = int | float
square = lambda number: number * number


class Account(ledger.Book, Generic[Money], metaclass=Meta):
    """What one owner has.

    More about it.
    """

    interest: float = 0.5
    KINDS = ("open", "closed")

    def __init__(self, owner: str, *entries: Entry, limit: int = LIMIT, **options: Any) -> None:
        super().__init__(owner)
        self.entries = deque(entries)
        self._limit = limit

    @property
    def worth(self) -> Money:
        return sum(entry.amount for entry in self.entries)

    @staticmethod
    @functools.lru_cache(maxsize=LIMIT)
    def cached(key):
        return Ordered.fromkeys(key)

    async def pay(self, amount: Money, /, *, to: "Account") -> bool:
        # pay() is mentioned, not called
        if amount > self.worth:
            raise TooLittle(f"{amount} of {self.worth} in {osp.join('pay()')}")
        async with self.lock as lock:
            await to.receive(amount=amount, source=self)
        return True

    class Meta:
        def deep(self):
            def closure():
                nonlocal_count = 1
                return nonlocal_count

            return closure


@overload
def convert(value: int) -> int: ...
@overload
def convert(value: str) -> str: ...
def convert(value):
    """Convert it."""
    global total
    total = total + 1
    match value:
        case Account(owner=name) if name:
            return name
        case [first, *rest]:
            return first
    if (found := lookup(value)) is not None:
        return found
    with open(value) as stream, suppress(OSError):
        return [line for line in stream if square(line)]


if True:

    async def conditional():
        try:
            convert(balance)
        except (ValueError, errors.Late) as error:
            print(error)


def test_pay():
    assert Account("me").cached(1)


def half(value: int) -> int: return value // 2


class Stack[Item: Money]:
    left, right = 1, 2
    first = last = None

    def push(self, item: Item) -> "Stack[Item]":
        super().push(item)
        super(Stack, self).push(item)
        return self


try:
    import fast
    HAS_FAST = True
except ImportError:
    HAS_FAST = False
if HAS_FAST:
    engine = fast
else:
    engine = None
