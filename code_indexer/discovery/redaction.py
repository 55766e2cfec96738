"""Secrets in a text, put out of sight before anything stores, embeds or prints it.

Only what is a secret beyond doubt by its own form: a password told by the name of its variable
could be anything, and code full of stars could not be searched. Line ends and the number of
characters stay, so that every place in the masked text is the same place in the file.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

MASK = "*"
_KEY_LINE = 40
"""A run of so many base64 characters, below the head of a private key, is its body."""
_BOUNDARY = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
"""Before a secret stands no letter, unless it belongs to an escape: of a string, of an address."""
_RUNS = re.compile(r"\\[nrt]|[A-Za-z0-9+/=]{16,}")


@dataclass(frozen=True, slots=True)
class SecretKind:
    """One form of secret."""

    name: str
    marks: tuple[str, ...]
    """Texts of which every secret of this kind holds one; looked for first, as that is quick."""
    pattern: re.Pattern[str]
    """Its group ``secret`` is masked; what stands around it says what it was."""


def _kind(name: str, marks: str, pattern: str) -> SecretKind:
    return SecretKind(name, tuple(marks.split()), re.compile(_BOUNDARY + pattern))


KINDS = (
    SecretKind(
        "private key",
        ("PRIVATE KEY",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?P<secret>(?:[^-]|-(?!----)){1,20000})"
        ),
    ),
    _kind("age key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1(?P<secret>[0-9A-Z]{58})"),
    _kind("AWS key id", "AKIA ASIA", r"A(?:KI|SI)A(?P<secret>[A-Z2-7]{16})(?![A-Za-z0-9])"),
    _kind(
        "AWS secret key",
        "aws_secret_access_key AWS_SECRET_ACCESS_KEY",
        r"(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY)[\"']?\s{0,8}(?:=>|[:=])\s{0,8}[\"']?"
        r"(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])",
    ),
    _kind("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_(?P<secret>[A-Za-z0-9]{36,251})"),
    _kind("GitHub token", "github_pat_", r"github_pat_(?P<secret>[A-Za-z0-9_]{40,251})"),
    _kind("GitLab token", "glpat-", r"glpat-(?P<secret>[A-Za-z0-9_-]{20,})"),
    _kind(
        "Slack token", "xox", r"xox[abeoprs]-(?P<secret>(?=[A-Za-z-]{0,40}[0-9])[A-Za-z0-9-]{20,})"
    ),
    _kind(
        "Slack address",
        "hooks.slack.com/services/",
        r"hooks\.slack\.com/services/(?P<secret>T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{20,})",
    ),
    _kind("Google key", "AIza", r"AIza(?P<secret>[0-9A-Za-z_-]{35})(?![0-9A-Za-z_-])"),
    _kind("Google client secret", "GOCSPX-", r"GOCSPX-(?P<secret>[A-Za-z0-9_-]{28})"),
    _kind("Stripe key", "sk_live_ rk_live_", r"[sr]k_live_(?P<secret>[0-9A-Za-z]{24,})"),
    _kind("OpenAI key", "T3BlbkFJ", r"sk-(?P<secret>[A-Za-z0-9_-]{16,}T3BlbkFJ[A-Za-z0-9_-]{16,})"),
    _kind("Anthropic key", "sk-ant-", r"sk-ant-(?P<secret>[a-z0-9]{2,8}-[A-Za-z0-9_-]{80,})"),
    _kind("Hugging Face token", "hf_", r"hf_(?P<secret>[A-Za-z]{34})(?![A-Za-z0-9_])"),
    _kind("npm token", "npm_", r"npm_(?P<secret>[A-Za-z0-9]{36})(?![A-Za-z0-9_])"),
    SecretKind(
        "token in .npmrc",
        ("_authToken", ":_auth", ":_password"),
        re.compile(
            r"^(?://[^\s=]{1,300}:_(?:authToken|auth|password)|_authToken)[ \t]?=[ \t]?[\"']?"
            r"(?P<secret>[A-Za-z0-9+/_.=-]{16,})[\"']?\r?$",
            re.MULTILINE,
        ),
    ),
    _kind("PyPI token", "pypi-AgE", r"pypi-AgE(?P<secret>[A-Za-z0-9_-]{50,})"),
    _kind("SendGrid key", "SG.", r"SG\.(?P<secret>[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"),
    _kind("Shopify token", "shpat_ shpss_", r"shp(?:at|ss)_(?P<secret>[0-9a-fA-F]{32})"),
    _kind("DigitalOcean token", "dop_v1_", r"dop_v1_(?P<secret>[0-9a-f]{64})"),
    _kind("Azure storage key", "AccountKey=", r"AccountKey=(?P<secret>[A-Za-z0-9+/]{86}==)"),
    _kind(
        "signed token (JWT)",
        ".eyJ",
        r"eyJ(?P<secret>[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,})",
    ),
)


def redact(text: str) -> str:
    """*text* with every secret in it masked, as long as before, line by line."""
    for kind in KINDS:
        if any(mark in text for mark in kind.marks):
            text = kind.pattern.sub(_masked_key if kind is KINDS[0] else _masked, text)
    return text


def _masked(match: re.Match[str]) -> str:
    return _with_secret(match, lambda secret: re.sub(r"[^\s./-]", MASK, secret))


def _masked_key(match: re.Match[str]) -> str:
    """The body of a key, if there is one: the head alone stands in code that looks for keys."""
    body = match["secret"]
    if all(len(run) < _KEY_LINE for run in _RUNS.findall(body)):
        return match[0]
    return _with_secret(match, lambda secret: _RUNS.sub(_masked_run, secret))


def _masked_run(match: re.Match[str]) -> str:
    return match[0] if match[0].startswith("\\") else MASK * len(match[0])


def _with_secret(match: re.Match[str], mask: Callable[[str], str]) -> str:
    start, end = match.span("secret")
    before, after = match.string[match.start() : start], match.string[end : match.end()]
    return f"{before}{mask(match['secret'])}{after}"
