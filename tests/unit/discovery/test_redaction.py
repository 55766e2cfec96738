"""Secrets are masked, places stay, and what only looks like a secret is left alone."""

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from code_indexer.discovery.redaction import KINDS, MASK, redact

_CHANCE = random.Random(3)


def made_up(count, alphabet=string.ascii_letters + string.digits):
    """Characters of a secret that nobody has: written here, it would look like one."""
    return "".join(_CHANCE.choices(alphabet, k=count))


HEX = "0123456789abcdef"
CAPITALS = string.ascii_uppercase + "234567"
SECRETS = {
    "age key": ("AGE-SECRET-KEY-1", made_up(58, string.ascii_uppercase + string.digits)),
    "AWS key id": ("AKIA", made_up(16, CAPITALS)),
    "AWS secret key": ('aws_secret_access_key = "', made_up(40)),
    "AWS secret in the environment": ("AWS_SECRET_ACCESS_KEY=", made_up(40)),
    "GitHub token": ("ghp_", made_up(36)),
    "GitHub token of an app": ("ghs_", made_up(36)),
    "GitHub token, fine-grained": ("github_pat_", made_up(82)),
    "GitLab token": ("glpat-", made_up(20)),
    "Slack token": ("xoxb-", f"1234567890-{made_up(24)}"),
    "Slack address": ("https://hooks.slack.com/services/", f"T0ABCDEFG/B0ABCDEFG/{made_up(24)}"),
    "Google key": ("AIza", made_up(35)),
    "Google client secret": ("GOCSPX-", made_up(28)),
    "Stripe key": ("sk_live_", made_up(24)),
    "OpenAI key": ("sk-", f"{made_up(20)}T3BlbkFJ{made_up(20)}"),
    "Anthropic key": ("sk-ant-", f"api03-{made_up(93)}"),
    "Hugging Face token": ("hf_", made_up(34, string.ascii_letters)),
    "npm token": ("npm_", made_up(36)),
    "token in .npmrc": ("\n//npm.example.invalid/:_authToken=", made_up(40)),
    "PyPI token": ("pypi-AgE", made_up(160)),
    "SendGrid key": ("SG.", f"{made_up(22)}.{made_up(43)}"),
    "Shopify token": ("shpat_", made_up(32, HEX)),
    "DigitalOcean token": ("dop_v1_", made_up(64, HEX)),
    "Azure storage key": ("AccountKey=", f"{made_up(86)}=="),
    "JWT": ("eyJ", f"{made_up(20)}.eyJ{made_up(40)}.{made_up(43)}"),
}


def key_body(lines=12, newline="\n"):
    return newline.join([*(made_up(64) for _ in range(lines)), made_up(30) + "=="])


@pytest.mark.parametrize(("head", "secret"), SECRETS.values(), ids=SECRETS)
@pytest.mark.parametrize(
    "frame",
    [
        *('token = "{}"\n', "a: {}\n", "{}", "x({}, 1)  # so\r\n"),
        *(r'x = "found:\n{}\n"', "?next=%2Fhome%3Ft%3D{}%26x\n"),
    ],
)
def test_a_secret_is_masked_and_nothing_else_moves(head, secret, frame):
    frame = "{}\r\n" if head.startswith("\n") else frame  # a whole line
    text = frame.format(head + secret)

    masked = redact(text)

    assert secret not in masked
    assert head in masked
    assert len(masked) == len(text)
    before, after = frame.split("{}")
    assert masked.startswith(before)
    assert masked.endswith(after)


def test_every_kind_has_its_case():
    text = "\n".join(head + secret for head, secret in SECRETS.values())
    text += f"\n-----BEGIN RSA PRIVATE KEY-----\n{key_body()}\n-----END RSA PRIVATE KEY-----"

    for kind in KINDS:
        assert kind.pattern.search(text), kind.name
        assert any(mark in text for mark in kind.marks), kind.name


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\\n"])
@pytest.mark.parametrize("kind", ["", "RSA ", "EC ", "ENCRYPTED ", "OPENSSH "])
@pytest.mark.parametrize("is_whole", [True, False])
def test_the_body_of_a_private_key_is_masked_line_by_line(newline, kind, is_whole):
    body = key_body(newline=newline)
    end = f"{newline}-----END {kind}PRIVATE KEY-----" if is_whole else ""
    text = f'KEY = """-----BEGIN {kind}PRIVATE KEY-----{newline}{body}{end}"""\nafter = 1\n'

    masked = redact(text)

    assert [len(line) for line in text.split("\n")] == [len(line) for line in masked.split("\n")]
    assert all(line not in masked for line in body.split(newline))
    assert newline in masked
    assert masked.endswith('"""\nafter = 1\n')


@pytest.mark.parametrize(
    "text",
    [
        'if text.startswith("-----BEGIN RSA PRIVATE KEY-----"):\n    raise CredentialsError(name)\n',
        'BEGIN, END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"\n',
        "npm_config_registry_with_a_very_long_name_indeed = 1\n",
        "ghp_short sk_live_short AKIAshort xoxo-hugs xoxb-not-a-token-of-anybody-here\n",
        "MAIZAKIA = ASIAPACIFICREGIONSALL\n",
        "hf_model_for_sentence_embedding_of_code\n",
        "password = 'correct horse battery staple'\n",
        "_password = hash_of_the_given_password\n//x/:_authToken=${NPM_TOKEN_OF_THE_BUILD}\n",
        "const eyJ = 1; data = 'eyJhIjoxfQ'\n",
    ],
)
def test_code_about_secrets_is_left_alone(text):
    assert redact(text) == text


@given(
    st.text()
    | st.lists(
        st.sampled_from(
            [
                *(k for kind in KINDS for k in kind.marks),
                "-----BEGIN ",
                "-----",
                " ",
                "\n",
                "\\n",
                "a" * 45,
            ]
        )
    ).map("".join)
)
def test_any_text_keeps_its_places_and_masking_twice_changes_nothing(text):
    masked = redact(text)

    assert [len(line) for line in text.split("\n")] == [len(line) for line in masked.split("\n")]
    assert all(new in (old, MASK) for old, new in zip(text, masked, strict=True))
    assert redact(masked) == masked
