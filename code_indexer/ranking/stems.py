"""Stems: one form for the spellings of a word that mean the same to a programmer."""

import re
from functools import lru_cache

# One word for what programmers write in several ways; only where no other meaning is common.
_SAME_WORD_GROUPS = """
alias aliases
api apis
argument arguments arg args argv
async asynchronous asynchronously
attribute attributes attr attrs
authenticate authentication authn
authorize authorise authorization authorisation authz
boolean booleans bool bools
buffer buffers buf
canvas canvases
child children
command commands cmd cmds
config configs configuration configurations configure configured configurable configuring cfg conf
connect connection connections connecting connected conn
context contexts ctx
cpu cpus
database databases db dbs
dependency dependencies dep deps
directory directories dir dirs
document documentation doc docs
environment environments env envs
error errors err errs
execute execution executing executor exec
extension extensions ext
function functions func funcs fn
gpu gpus
implement implementation implementations implements implemented implementing impl impls
index indexes indices idx
information info
initialize initialise initialization initialisation initializer initialiser init
integer integers int
iterate iterator iterators iteration iter
library libraries lib libs
matrix matrices
maximum max
menu menus
message messages msg msgs
minimum min
object objects obj objs
package packages pkg pkgs
parameter parameters param params
pointer pointers ptr ptrs
property properties prop props
reference references ref refs
register registers registered registering registration registrations registry registries
regex regexp regexes regexps
repository repositories repo repos
request requests req
serialize serialise serialization serialisation serializer serialiser
deserialize deserialise deserialization deserialisation deserializer deserialiser
specification specifications spec specs
string strings str
synchronous synchronously sync
temporary temp tmp
uri uris
url urls
utility utilities util utils
variable variables var vars
vertex vertices
"""
_SAME_WORD = {
    word: group[0]
    for group in (line.split() for line in _SAME_WORD_GROUPS.split("\n"))
    for word in group
}
# Words whose last s belongs to them.
_SINGULAR = re.compile(r"(?:ss|us|is|alias|canvas|bias|atlas|pandas|gas|lens|news|yes)$")


# The parts of the identifiers of a tree are far fewer than these identifiers.
@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The stem of a lower-case word; several spellings of one word share it."""
    same = _SAME_WORD.get(word)
    if same is not None:
        return same
    if len(word) <= 3 or not word.isalpha() or not word.isascii():
        return word
    return _SAME_WORD.get(stemmed := _without_ending(_without_plural(word)), stemmed)


def _without_plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not _SINGULAR.search(word):
        return word[:-1]
    return word


def _without_ending(word: str) -> str:
    """*word* without the endings that turn a verb into its forms and its noun."""
    size = len(word)
    if size > 5:
        if word.endswith("ing") and size >= 6:
            return _without_er(_undoubled(word[:-3]))
        if word.endswith(("ization", "isation")):
            return word[:-5]
        if word.endswith("ation") and size > 7:
            return _without_e(word[:-5] + "at")
        if word.endswith("ion") and size > 6:
            return word[:-3]
        if word.endswith("ed"):
            return _without_er(_undoubled(word[:-2]))
        return _without_e(_without_er(word))
    if size == 5 and word.endswith("ed"):
        return word[:-2]
    return _without_e(word) if size > 4 else word


def _undoubled(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeioulsz":
        return word[:-1]
    return _without_e(word) if len(word) > 3 else word


def _without_er(word: str) -> str:
    return _undoubled(word[:-2]) if len(word) > 5 and word.endswith("er") else word


def _without_e(word: str) -> str:
    return word.removesuffix("e")
