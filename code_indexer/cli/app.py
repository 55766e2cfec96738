"""The command line: global options, and errors turned into exit codes."""

import inspect
import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import typer

from code_indexer.cli import (
    browse,
    doctor,
    inspection,
    install,
    maintenance,
    mcp,
    projects,
    queries,
    short_names,
    symbols,
    watch,
)
from code_indexer.cli.session import Session
from code_indexer.cli.streams import prepare_streams, remark, silence, start_again_in_utf8
from code_indexer.errors import CodeIndexerError
from code_indexer.settings import one_thread_for_numpy

_HELP = """Find code on this machine: by meaning, by word, by name.

Each query first makes the index fresh; there is no indexing step to run.

Short names: search, add, status, list, reindex, remove, def (find-definition), refs
(find-references), show (get-code-context).

Exit codes: 0 done (no hits is done), 1 error, 2 wrong request, 3 a service is down, 4 busy,
5 index damaged, 130 interrupted.
"""

app = typer.Typer(
    name="code-indexer",
    cls=short_names.CommandGroup,
    help=_HELP,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_VALUE_OPTIONS = ("--index-root", "--ollama-url", "--qdrant-url", "--embed-model")
_FLAG_OPTIONS = ("--quiet", "--verbose", "--version")
_INTERRUPTED = 130
_JsonForm = Literal["--json", "--jsonl"] | None
_DASH_HINT = "Put -- before a text that starts with a dash: code-indexer semantic-search -- '-x'"


def _print_version(wanted: bool) -> None:
    if wanted:
        from code_indexer import __version__

        typer.echo(f"code-indexer {__version__}")
        raise typer.Exit


@app.callback()
def global_options(
    context: typer.Context,
    index_root: Annotated[
        str | None,
        typer.Option(help="Folder of the indexes [INDEX_ROOT; default: ~/.code-indexer]"),
    ] = None,
    ollama_url: Annotated[
        str | None, typer.Option(help="Ollama server that embeds [OLLAMA_URL; default: embedded]")
    ] = None,
    qdrant_url: Annotated[
        str | None,
        typer.Option(help="Qdrant server for the vectors [QDRANT_URL; default: embedded]"),
    ] = None,
    embed_model: Annotated[
        str | None, typer.Option(help="Ollama model that embeds [EMBED_MODEL]")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Nothing but the answer.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Say what is done, on stderr.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Remember the global options for the command."""
    del version
    if verbose:
        import logging

        logging.basicConfig(level=logging.DEBUG, format="%(levelname)s %(name)s: %(message)s")
    context.obj = Session(
        flags={
            "index_root": index_root,
            "ollama_url": ollama_url,
            "qdrant_url": qdrant_url,
            "embed_model": embed_model,
        },
        quiet=quiet,
        verbose=verbose,
    )


projects.register(app)
queries.register(app)
inspection.register(app)
browse.register(app)
symbols.register(app)
watch.register(app)
install.register(app)
mcp.register(app)
doctor.register(app)
maintenance.register(app)
short_names.register(app)
for _command in app.registered_commands:
    # \b keeps the lines of a paragraph: examples are there to be copied.
    _text = inspect.getdoc(_command.callback) or ""
    _command.help = re.sub(r"^(?=Examples?:)", "\b\n", _text, flags=re.MULTILINE)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    prepare_streams()
    one_thread_for_numpy()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.getfilesystemencoding() != "utf-8":
        start_again_in_utf8(words)
    form = _json_form(words)
    try:
        code = app(args=hoisted(words), prog_name="code-indexer", standalone_mode=False)
        sys.stdout.flush()
    except CodeIndexerError as error:
        return _report(error, form=form)
    except BrokenPipeError:
        return _closed_pipe()
    except SystemExit as leaving:
        # Typer leaves the process by itself when it meets a closed pipe.
        if isinstance(leaving.__context__, BrokenPipeError):
            return _closed_pipe()
        raise
    except KeyboardInterrupt:
        return _interrupted()
    except OSError as error:
        return _report_system(error, form=form)
    except Exception as error:
        if not hasattr(error, "format_message") or not hasattr(error, "exit_code"):
            raise
        return _report_usage(error, words, form=form)
    # Typer turns an interrupt inside a command into this code, without a word.
    if code == _INTERRUPTED:
        return _interrupted()
    return code if isinstance(code, int) else 0


def _json_form(words: Sequence[str]) -> _JsonForm:
    """Which JSON the command line asks for, so that errors come as it does."""
    asked = words[: words.index("--")] if "--" in words else words
    if "--json" in asked:
        return "--json"
    return "--jsonl" if "--jsonl" in asked else None


def _interrupted() -> int:
    remark("interrupted; what was done is kept\n")
    return _INTERRUPTED


def hoisted(words: Sequence[str]) -> list[str]:
    """*words* with the global options in front, wherever they were typed before ``--``."""
    front: list[str] = []
    rest: list[str] = []
    queue = list(words)
    while queue:
        word = queue.pop(0)
        if word == "--":
            rest += [word, *queue]
            break
        if word in _VALUE_OPTIONS and queue:
            front += [word, queue.pop(0)]
        elif word in _FLAG_OPTIONS or word.startswith(tuple(f"{o}=" for o in _VALUE_OPTIONS)):
            front.append(word)
        else:
            rest.append(word)
    return front + rest


def _report(error: CodeIndexerError, *, form: _JsonForm) -> int:
    from code_indexer.rendering import error_document, to_json, to_json_line, visible

    if form is not None:
        spelled = to_json if form == "--json" else to_json_line
        try:
            sys.stdout.write(spelled(error_document(error)) + "\n")
            sys.stdout.flush()
        except OSError:
            silence(sys.stdout)
    hint = f"\nhint: {visible(error.hint)}" if error.hint else ""
    remark(f"error: {visible(error.message)}{hint}\n")
    return error.exit_code


def _report_system(error: OSError, *, form: _JsonForm) -> int:
    """What the system refused, in its words: most often stdout leads to a disk that is full."""
    import errno
    import logging

    logging.getLogger(__name__).debug("refused by the system", exc_info=error)
    try:
        sys.stdout.flush()
    except OSError:
        silence(sys.stdout)
    place = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    hint = ""
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        hint = "Allow more of them, for example with: ulimit -n 256"
    elif error.errno in {errno.ENOSPC, errno.EDQUOT}:
        hint = "Free some disk space"
    elif place and error.errno in {errno.EACCES, errno.EPERM}:
        hint = "Check its permissions, and those of the folders above it"
    return _report(CodeIndexerError(f"{place}{error.strerror or error}", hint=hint), form=form)


def _report_usage(error: Any, words: Sequence[str], *, form: _JsonForm) -> int:  # noqa: ANN401
    """The message of an exception that the option parser raised."""
    from code_indexer.errors import UsageError

    message = str(error.format_message())
    if type(error).__name__ == "NoArgsIsHelpError":
        remark(message + "\n")
        return int(error.exit_code)
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "code-indexer"
    hint = f"See {command} --help"
    takes_text = context is not None and any(
        parameter.name in ("query", "name") for parameter in context.command.params[:1]
    )
    if (
        takes_text
        and "--" not in words
        and (type(error).__name__ == "NoSuchOption" or any(map(_is_taken_apart, words)))
    ):
        hint = f"{hint}. {_DASH_HINT}"
    elif takes_text and "unexpected extra argument" in message:
        hint = f"{hint}. Put a text of several words in quotation marks"
    return _report(UsageError(message, hint=hint), form=form)


def _is_taken_apart(word: str) -> bool:
    """Whether *word* reads as several short options, which nobody types here: ``-needle``."""
    return re.match(r"-[^-\d].", word) is not None


def _closed_pipe() -> int:
    """The reader went away: that is no error, and nothing more can be written."""
    silence(sys.stdout)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
