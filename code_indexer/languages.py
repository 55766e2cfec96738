"""The table of languages: which there are, and which one a file is written in.

A file is known by its name, then by its suffix, then by its first line. A text file that nothing
here matches is still indexed, as code without a language.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from code_indexer.types import ContentKind


@dataclass(frozen=True, slots=True)
class Language:
    """One language of source, documentation or configuration files."""

    name: str
    content: ContentKind
    suffixes: tuple[str, ...] = ()
    """With the leading dot, in lower case; a longer one (``.blade.php``) is tried first."""
    filenames: tuple[str, ...] = ()
    """Whole file names, compared without regard to case."""
    interpreters: tuple[str, ...] = ()
    """Programs that run it in a ``#!`` line, without a version."""
    grammar: str | None = None
    """Name in tree-sitter-language-pack."""


def _language(
    name: str,
    content: ContentKind,
    suffixes: str,
    *,
    names: str = "",
    run_by: str = "",
    grammar: str | None = None,
) -> Language:
    return Language(
        name,
        content,
        tuple(suffixes.split()),
        tuple(names.split()),
        tuple(run_by.split()),
        grammar,
    )


def _code(
    name: str, suffixes: str, *, names: str = "", run_by: str = "", grammar: str | None = None
) -> Language:
    return _language(name, "code", suffixes, names=names, run_by=run_by, grammar=grammar)


def _docs(name: str, suffixes: str, *, names: str = "", grammar: str | None = None) -> Language:
    return _language(name, "docs", suffixes, names=names, grammar=grammar)


def _config(
    name: str, suffixes: str, *, names: str = "", run_by: str = "", grammar: str | None = None
) -> Language:
    return _language(name, "config", suffixes, names=names, run_by=run_by, grammar=grammar)


# The first language to claim a suffix or a name keeps it.
_TABLE = (
    # Extraction knows these.
    _code(
        "python",
        ".py .pyi .pyw .pyx .pxd .pxi .bzl .wsgi .ipy",
        names="SConstruct SConscript wscript .pythonrc",
        run_by="python pypy uv pipx sage ipython xonsh",
        grammar="python",
    ),
    _code(
        "javascript",
        ".js .jsx .mjs .cjs .es6 .es .jsm .gs .ssjs",
        names="Jakefile",
        run_by="node nodejs bun qjs rhino gjs zx",
        grammar="javascript",
    ),
    _code("typescript", ".ts .mts .cts", run_by="ts-node tsx deno", grammar="typescript"),
    _code("tsx", ".tsx", grammar="tsx"),
    _code("go", ".go", run_by="gorun", grammar="go"),
    _code("rust", ".rs", run_by="rust-script cargo", grammar="rust"),
    _code("java", ".java .jsh .aidl", run_by="java", grammar="java"),
    _code("c", ".c .h", run_by="tcc", grammar="c"),
    _code(
        "cpp",
        ".cc .cpp .cxx .c++ .cp .hh .hpp .hxx .h++ .hp .ipp .tpp .txx .tcc .inl .ixx .cppm .ccm "
        ".cxxm .c++m .mpp .ino .pde",
        grammar="cpp",
    ),
    _code("csharp", ".cs .csx .cake", run_by="dotnet-script", grammar="csharp"),
    _code(
        "php",
        ".php .phtml .php3 .php4 .php5 .php7 .phps .phpt .module .install .theme .ctp",
        names=".php_cs .php_cs.dist",
        run_by="php",
        grammar="php",
    ),
    _code(
        "ruby",
        ".rb .rake .gemspec .ru .rbi .rbw .podspec .jbuilder .builder .thor .rabl .god .mspec "
        ".watchr .axlsx .prawn",
        names="Gemfile Rakefile Guardfile Podfile Vagrantfile Capfile Brewfile Fastfile Appfile "
        "Berksfile Thorfile Puppetfile Dangerfile Steepfile Snapfile Deliverfile Matchfile "
        "Gymfile Scanfile Buildfile .irbrc .pryrc .simplecov",
        run_by="ruby jruby rbx macruby rake truffleruby",
        grammar="ruby",
    ),
    _code("kotlin", ".kt .kts .ktm", run_by="kotlin kotlinc", grammar="kotlin"),
    _code("swift", ".swift .swiftinterface", run_by="swift", grammar="swift"),
    _code("scala", ".scala .sc .sbt", run_by="scala amm scala-cli", grammar="scala"),
    _code("elixir", ".ex .exs", run_by="elixir iex", grammar="elixir"),
    _code(
        "lua",
        ".lua .rockspec .nse .wlua",
        names=".luacheckrc",
        run_by="lua luajit texlua",
        grammar="lua",
    ),
    _code(
        "bash",
        ".sh .bash .zsh .ksh .bats .command .ebuild .eclass .zsh-theme",
        names=".bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile "
        ".zlogin .zlogout .kshrc .envrc PKGBUILD APKBUILD bashrc zshrc profile "
        "gradlew mvnw",
        run_by="sh bash zsh ksh dash ash mksh bats busybox rc",
        grammar="bash",
    ),
    _code("haskell", ".hs .lhs .hsc .hs-boot", run_by="runghc runhaskell stack", grammar="haskell"),
    _code("zig", ".zig .zon", grammar="zig"),
    # Extraction may know these; chunking does.
    _code("objc", ".m .mm", grammar="objc"),
    _code("cuda", ".cu .cuh", grammar="cuda"),
    _code("dart", ".dart", run_by="dart", grammar="dart"),
    _code(
        "perl",
        ".pl .pm .t .psgi .perl .al .ph .plx .xs",
        names="cpanfile Makefile.PL Build.PL .perltidyrc",
        run_by="perl",
        grammar="perl",
    ),
    _code("raku", ".raku .rakumod .rakutest .p6 .pm6 .pl6", run_by="raku perl6"),
    _code("r", ".r .rd .rsx", names=".Rprofile", run_by="rscript littler", grammar="r"),
    _code("julia", ".jl", run_by="julia", grammar="julia"),
    _code("erlang", ".erl .hrl .xrl .yrl .escript", run_by="escript", grammar="erlang"),
    _code("clojure", ".clj .cljs .cljc .edn .bb", run_by="clojure clj bb", grammar="clojure"),
    _code("ocaml", ".ml .mll .mly .eliom", run_by="ocaml ocamlrun", grammar="ocaml"),
    _code("ocaml_interface", ".mli .eliomi", grammar="ocaml_interface"),
    _code("fsharp", ".fs .fsx .fsscript", grammar="fsharp"),
    _code("fsharp_signature", ".fsi", grammar="fsharp_signature"),
    _code("vbnet", ".vb .vbs .bas .frm"),
    _code("groovy", ".groovy .gvy .gy .gsh .nf", run_by="groovy", grammar="groovy"),
    _code("powershell", ".ps1 .psm1 .psd1", run_by="pwsh powershell", grammar="powershell"),
    _code("batch", ".bat .cmd"),
    _code("fish", ".fish", run_by="fish", grammar="fish"),
    _code("nushell", ".nu", run_by="nu"),
    _code("awk", ".awk .gawk .mawk", run_by="awk gawk mawk nawk"),
    _code("sed", ".sed", run_by="sed gsed"),
    _code("jq", ".jq", run_by="jq"),
    _code("vim", ".vim .vimrc .vmb", names=".vimrc _vimrc .gvimrc .exrc vimrc", grammar="vim"),
    _code("elisp", ".el", names=".emacs .spacemacs Cask", run_by="emacs", grammar="elisp"),
    _code(
        "commonlisp", ".lisp .lsp .asd .cl .ny", run_by="sbcl clisp ecl ccl", grammar="commonlisp"
    ),
    _code("scheme", ".scm .ss .sld .sls .sps", run_by="guile chicken csi gsi", grammar="scheme"),
    _code("racket", ".rkt .rktd .rktl", run_by="racket", grammar="racket"),
    _code("janet", ".janet", run_by="janet", grammar="janet"),
    _code("fennel", ".fnl", run_by="fennel", grammar="fennel"),
    _code("luau", ".luau", grammar="luau"),
    _code("nim", ".nim .nims .nimble", run_by="nim", grammar="nim"),
    _code("crystal", ".cr .ecr", run_by="crystal"),
    _code("d", ".d .di", run_by="rdmd dub", grammar="d"),
    _code("v", ".vsh", run_by="v", grammar="v"),
    _code("odin", ".odin", grammar="odin"),
    _code("hare", ".ha", run_by="hare", grammar="hare"),
    _code("gleam", ".gleam", grammar="gleam"),
    _code("elm", ".elm", grammar="elm"),
    _code("purescript", ".purs", grammar="purescript"),
    _code("haxe", ".hx .hxsl", grammar="haxe"),
    # The grammars of agda, cobol and typst crash or never return on damaged files.
    _code("agda", ".agda .lagda"),
    _code("lean", ".lean"),
    _code("idris", ".idr"),
    _code("coq", ".coq"),
    _code("prolog", ".prolog .pro .plt", run_by="swipl"),
    _code("ada", ".adb .ads .ada .gpr", grammar="ada"),
    _code("pascal", ".pas .dpr .lpr .dpk", run_by="instantfpc", grammar="pascal"),
    _code(
        "fortran",
        ".f .f77 .f90 .f95 .f03 .f08 .f18 .for .ftn .fpp .fypp",
        grammar="fortran",
    ),
    _code("cobol", ".cob .cbl .cobol .cpy"),
    _code("matlab", ".matlab", grammar="matlab"),
    _code("octave", ".octave", run_by="octave", grammar="matlab"),
    _code("smalltalk", ".st"),
    _code("tcl", ".tcl .tk .itcl .exp", run_by="tclsh wish expect jimsh", grammar="tcl"),
    _code("pony", ".pony", grammar="pony"),
    _code("squirrel", ".nut", grammar="squirrel"),
    _code("actionscript", ".as", grammar="actionscript"),
    _code("apex", ".apex .trigger", grammar="apex"),
    _code("gdscript", ".gd", grammar="gdscript"),
    _code("coffeescript", ".coffee .litcoffee .cson", names="Cakefile", run_by="coffee"),
    _code("livescript", ".ls", run_by="lsc"),
    _code("rescript", ".res .resi"),
    _code("reason", ".re .rei"),
    _code("ballerina", ".bal"),
    _code("mojo", ".mojo", run_by="mojo"),
    _code("starlark", ".star .sky .bazel .bzlmod", names="BUILD WORKSPACE BUCK Tiltfile",
          grammar="starlark"),
    _code("nix", ".nix", run_by="nix-shell nix", grammar="nix"),
    _code("hcl", ".hcl .tf .tfvars .nomad .workflow ", grammar="hcl"),
    _code("bicep", ".bicep", grammar="bicep"),
    _code("puppet", ".pp", grammar="puppet"),
    _code("rego", ".rego", grammar="rego"),
    _code("cue", ".cue"),
    _code("dhall", ".dhall"),
    _code("solidity", ".sol", grammar="solidity"),
    _code("cairo", ".cairo", grammar="cairo"),
    _code("move", ".move"),
    _code("vyper", ".vy"),
    _code("verilog", ".v .vh .sv .svh .vlg", grammar="verilog"),
    _code("vhdl", ".vhd .vhdl .vho", grammar="vhdl"),
    _code("assembly", ".asm .s .nasm", grammar="asm"),
    _code("llvm", ".ll", grammar="llvm"),
    _code("tablegen", ".td", grammar="tablegen"),
    _code("mlir", ".mlir"),
    _code("wat", ".wat .wast", grammar="wat"),
    _code("glsl", ".glsl .vert .frag .geom .comp .tesc .tese .vs .fsh .rgen", grammar="glsl"),
    _code("hlsl", ".hlsl .hlsli .fx .fxh .cginc .shader .compute", grammar="hlsl"),
    _code("wgsl", ".wgsl", grammar="wgsl"),
    _code("metal", ".metal", grammar="cpp"),
    _code("opencl", ".opencl .clh", grammar="c"),
    _code("ispc", ".ispc", grammar="ispc"),
    _code("linkerscript", ".ld .lds", grammar="linkerscript"),
    _code("devicetree", ".dts .dtsi .overlay"),
    _code("yacc", ".y .yy .ypp"),
    _code("lex", ".l .lpp .flex"),
    _code("antlr", ".g4 .g"),
    _code("peg", ".peg .pegjs .pest .lark .ebnf .bnf .abnf"),
    _code("swig", ".swg .i"),
    _code("sql", ".sql .psql .pgsql .plsql .pls .pck .pkb .pks .mysql .ddl .dml .cql .hql .tsql "
          ".prc .viw", grammar="sql"),
    _code("prisma", ".prisma", grammar="prisma"),
    _code("sparql", ".sparql .rq", grammar="sparql"),
    _code("cypher", ".cypher .cyp"),
    _code("proto", ".proto .protodevel", grammar="proto"),
    _code("thrift", ".thrift", grammar="thrift"),
    _code("capnp", ".capnp", grammar="capnp"),
    _code("flatbuffers", ".fbs"),
    _code("avro", ".avdl"),
    _code("smithy", ".smithy", grammar="smithy"),
    _code("graphql", ".graphql .gql .graphqls", grammar="graphql"),
    _code("asn1", ".asn .asn1"),
    _code("idl", ".idl .webidl .pidl .midl"),
    _code("vue", ".vue", grammar="vue"),
    _code("svelte", ".svelte", grammar="svelte"),
    _code("astro", ".astro", grammar="astro"),
    _code("notebook", ".ipynb"),
    _code("html", ".html .htm .xhtml .xht .shtml", grammar="html"),
    _code("blade", ".blade.php", grammar="php"),
    _code("twig", ".twig", grammar="twig"),
    _code("jinja", ".j2 .jinja .jinja2 .njk .nunjucks", grammar="html"),
    _code("liquid", ".liquid", grammar="html"),
    _code("handlebars", ".hbs .handlebars .mustache", grammar="html"),
    _code("pug", ".pug .jade"),
    _code("haml", ".haml .slim"),
    _code("erb", ".erb .rhtml .ejs .erubis .erubi", grammar="embeddedtemplate"),
    _code("heex", ".heex .leex .eex .sface", grammar="heex"),
    _code("razor", ".cshtml .razor", grammar="html"),
    _code("jsp", ".jsp .jspx .jspf .tag .ftl .ftlh .vm .aspx .ascx .asp", grammar="html"),
    _code("gotemplate", ".tmpl .gotmpl .gohtml .tpl"),
    _code("css", ".css .wxss .qss .pcss .postcss", grammar="css"),
    _code("scss", ".scss", grammar="scss"),
    _code("sass", ".sass"),
    _code("less", ".less", grammar="css"),
    _code("stylus", ".styl"),
    _code("qml", ".qml .qbs", grammar="qmljs"),
    _code("xslt", ".xsl .xslt", grammar="xml"),
    _code("applescript", ".applescript .scpt", run_by="osascript"),
    _code("autohotkey", ".ahk .ahkl"),
    _code("gnuplot", ".gp .gnu .gnuplot", run_by="gnuplot"),
    _code("stan", ".stan"),
    _code("sas", ".sas"),
    _code("stata", ".do .ado"),
    _code("apl", ".apl .dyalog", run_by="apl"),
    _code("forth", ".fth .4th .forth", run_by="gforth"),
    _code("postscript", ".eps .ps"),
    _code("gherkin", ".feature"),
    _code("robot", ".robot .resource"),
    _code("diff", ".diff .patch .rej"),
    _code("mermaid", ".mmd .mermaid", grammar="mermaid"),
    _code("plantuml", ".puml .plantuml .iuml"),
    _code("dot", ".dot .gv"),
    # Documentation.
    _docs("markdown", ".md .markdown .mdown .mkd .mkdn .mdx .mdwn .livemd .rmd .qmd .mdc",
          grammar="markdown"),
    _docs("restructuredtext", ".rst .rest", grammar="rst"),
    _docs("asciidoc", ".adoc .asciidoc"),
    _docs("org", ".org", grammar="org"),
    _docs("latex", ".tex .ltx .sty .bbx .cbx .dtx .ins .lbx .latex", grammar="latex"),
    _docs("bibtex", ".bib", grammar="bibtex"),
    _docs("typst", ".typ .typst"),
    _docs("texinfo", ".texi .texinfo .txi"),
    _docs("textile", ".textile .mediawiki .wiki .creole .dokuwiki"),
    _docs("pod", ".pod .rdoc .pod6"),
    _docs("roff", ".roff .man .mdoc .me .ms .1 .2 .3 .4 .5 .6 .7 .8"),
    _docs(
        "text",
        ".txt .text .nfo .license",
        names="README LICENSE LICENCE COPYING COPYRIGHT NOTICE AUTHORS CONTRIBUTORS CONTRIBUTING "
        "MAINTAINERS CHANGELOG CHANGES HISTORY NEWS INSTALL TODO THANKS CREDITS PATENTS HACKING "
        "UNLICENSE SECURITY VERSION BUGS FAQ RELEASE RELEASENOTES ROADMAP UPGRADING CITATION "
        "LICENSE-MIT LICENSE-APACHE MIT-LICENSE COPYING.LESSER",
    ),
    # Configuration.
    _config("yaml", ".yaml .yml .sublime-syntax",
            names=".clang-format .clang-tidy .clangd .yamllint .gemrc CITATION.cff",
            grammar="yaml"),
    _config("toml", ".toml", names="Pipfile", grammar="toml"),
    _config("json", ".json .json5 .jsonc .webmanifest .avsc .jsonld .code-workspace "
            ".sublime-project .sublime-settings .code-snippets",
            names=".babelrc .eslintrc .prettierrc .stylelintrc .swcrc .jshintrc .jscsrc .bowerrc "
            ".tern-project .watchmanconfig .all-contributorsrc .arcconfig .htmlhintrc "
            ".lintstagedrc .nycrc .mocharc .releaserc .markdownlintrc", grammar="json"),
    _config("jsonnet", ".jsonnet .libsonnet", run_by="jsonnet", grammar="jsonnet"),
    _config("ini", ".ini .cfg .conf .cnf .desktop .service .socket .timer .target .mount .prefs "
            ".inf .reg .lektorproject .unit .network .url",
            names=".editorconfig .flake8 .pylintrc pylintrc .coveragerc .gitconfig .gitmodules "
            ".npmrc .yarnrc .hgrc .isort.cfg .pydocstyle .buckconfig .bumpversion.cfg "
            ".wgetrc .curlrc .inputrc .condarc .lldbinit .gdbinit .tmux.conf .ripgreprc .sqlfluff",
            grammar="ini"),
    _config("properties", ".properties .env.example .env.sample .env.template",
            grammar="properties"),
    _config("xml", ".xml .xsd .wsdl .plist .csproj .vbproj .fsproj .vcxproj .props .targets "
            ".nuspec .resx .xaml .axaml .ui .storyboard .xib .iml .dtd .rng .rdf .rss .atom .xul "
            ".wxs .wxi .launch .entitlements .config .manifest .ruleset .filters "
            ".qrc .dita .glade .gml .mxml .owl .pom .proj .sch .tld .urdf .xacro .xliff .zcml",
            names=".classpath .project .cproject App.config Web.config nuget.config",
            grammar="xml"),
    _config("dockerfile", ".dockerfile .containerfile",
            names="Dockerfile Containerfile", grammar="dockerfile"),
    _config("makefile", ".mk .mak .make .makefile",
            names="Makefile GNUmakefile BSDmakefile Kbuild Makefile.in Makefile.am Makefile.inc",
            run_by="make gmake", grammar="make"),
    _config("just", ".just", names="justfile .justfile", run_by="just"),
    _config("cmake", ".cmake", names="CMakeLists.txt", grammar="cmake"),
    _config("meson", ".wrap", names="meson.build meson_options.txt meson.options", grammar="meson"),
    _config("ninja", ".ninja", grammar="ninja"),
    _config("gn", ".gn .gni .gyp .gypi", grammar="gn"),
    _config("kconfig", ".kconfig", names="Kconfig Kconfig.debug", grammar="kconfig"),
    _config("autoconf", ".ac .m4 .am", names="configure.ac configure.in"),
    _config("bitbake", ".bbappend .bbclass", grammar="bitbake"),
    _config("gradle", ".gradle", grammar="groovy"),
    _config("jenkinsfile", ".jenkinsfile", names="Jenkinsfile", grammar="groovy"),
    _config("earthfile", ".earth", names="Earthfile"),
    _config("procfile", "", names="Procfile Caddyfile Procfile.dev"),
    _config("nginx", ".nginx .nginxconf", names="nginx.conf"),
    _config("apache", ".htaccess .vhost", names=".htaccess httpd.conf"),
    _config("gomod", ".mod", names="go.mod go.work", grammar="gomod"),
    _config("cabal", ".cabal", names="cabal.project cabal.project.local"),
    _config("requirements", ".requirements",
            names="requirements.txt requirements-dev.txt dev-requirements.txt constraints.txt "
            "requirements.in requirements_dev.txt test-requirements.txt requirements-test.txt",
            grammar="requirements"),
    _config("pymanifest", "", names="MANIFEST.in", grammar="pymanifest"),
    _config("gitignore", "",
            names=".gitignore .dockerignore .npmignore .eslintignore .prettierignore .ignore "
            ".rgignore .hgignore .gcloudignore .helmignore .codeindexignore .containerignore "
            ".stylelintignore .vscodeignore .slugignore .git-blame-ignore-revs .mailmap",
            grammar="gitignore"),
    _config("gitattributes", "", names=".gitattributes", grammar="gitattributes"),
    _config("codeowners", "", names="CODEOWNERS OWNERS"),
    _config("kdl", ".kdl", grammar="kdl"),
    _config("ron", ".ron", grammar="ron"),
    _config("pkl", ".pkl", names="PklProject"),
    _config("udev", ".rules", grammar="udev"),
    _config("solution", ".sln .slnx .pbxproj .xcconfig .xcscheme .modulemap"),
    _config("versions", "", names=".tool-versions .nvmrc .node-version "
            ".python-version .ruby-version .terraform-version .java-version .swift-version "
            ".browserslistrc .rspec .yardopts .luarc"),
)  # fmt: skip

LANGUAGES: Mapping[str, Language] = {language.name: language for language in _TABLE}
"""Every language by its name."""

_BY_SUFFIX: dict[str, Language] = {}
_BY_FILENAME: dict[str, Language] = {}
_BY_INTERPRETER: dict[str, Language] = {}
for _entry in _TABLE:
    for _key in _entry.suffixes:
        _BY_SUFFIX.setdefault(_key, _entry)
    for _key in _entry.filenames:
        _BY_FILENAME.setdefault(_key.lower(), _entry)
    for _key in _entry.interpreters:
        _BY_INTERPRETER.setdefault(_key, _entry)

# Upper case tells C++ from C where the file system keeps case.
_BY_CASED_SUFFIX = {".C": LANGUAGES["cpp"], ".H": LANGUAGES["cpp"]}

# ``Dockerfile.dev`` and ``Makefile.local`` are what their first part says.
_BY_FIRST_PART = {
    "dockerfile": LANGUAGES["dockerfile"],
    "containerfile": LANGUAGES["dockerfile"],
    "makefile": LANGUAGES["makefile"],
    "gnumakefile": LANGUAGES["makefile"],
    "jenkinsfile": LANGUAGES["jenkinsfile"],
    "kconfig": LANGUAGES["kconfig"],
    "readme": LANGUAGES["text"],
    "license": LANGUAGES["text"],
    "changelog": LANGUAGES["text"],
}

# A template, a part or a spare copy of a file is in the language of that file: ``config.h.in``,
# ``manifest.c.inc``.
_WRAPPERS = frozenset(
    (
        *(".in", ".inc", ".tt", ".dist", ".example", ".sample"),
        *(".template", ".stub", ".orig", ".bak", ".old"),
    )
)

# What people call a language that has neither this name nor this suffix.
_OTHER_NAMES = {
    "c#": "csharp",
    "f#": "fsharp",
    "objective-c": "objc",
    "objectivec": "objc",
    "golang": "go",
    "node": "javascript",
    "shell": "bash",
    "terraform": "hcl",
    "protobuf": "proto",
    "jupyter": "notebook",
    "plaintext": "text",
    "visualbasic": "vbnet",
    "docker": "dockerfile",
    "make": "makefile",
}
# Who asks for one of these means the files of its dialects as well.
_DIALECTS = {"typescript": ("tsx",)}

# Last parts of the suffixes with two dots, so that most names cost one look-up.
_LAST_OF_TWO = frozenset(
    suffix[suffix.rindex(".") :] for suffix in _BY_SUFFIX if suffix.count(".") > 1
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DATA_SUFFIXES = _words(
    ".csv .tsv .psv .svg .map .lock .lockfile .snap .log .geojson .topojson .ndjson .jsonl "
    ".tsbuildinfo .po .pot .srt .vtt .ics .vcf .dic .aff .crt .cer .sig .sum .freeze .resolved "
    ".fasta .fa .fastq .pdb .mol .sdf .arff .libsvm .gpx .mtl .stl .ply .afm .bdf .hex "
    ".ihex .srec .dat .har .cast .xpm .xbm .asc .md5 .sha1 .sha256 .sha512"
)
_DATA_FILENAMES = _words(
    "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json project.assets.json "
    "conda-lock.yml .terraform.lock.hcl go.sum go.work.sum package.resolved .pnp.cjs "
    ".pnp.loader.mjs composer-lock.json shrinkwrap.yaml .ds_store"
)
# Formats of configuration that hold recorded data as well: only the size tells them apart.
_BULKY_SUFFIXES = (".json", ".xml")
_BULKY_BYTES = 256 * 1024

SPECIAL_NAMES = frozenset(_BY_FILENAME) | _DATA_FILENAMES
"""Names, in lower case, that say more than their suffix."""
AMBIGUOUS_SUFFIXES = _LAST_OF_TWO | frozenset(_BULKY_SUFFIXES)
"""Suffixes that do not settle what a file is: what stands before them counts, or the size."""

_MINIFIED_ENDINGS = (".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", "-min.css")


def language_of(path: str, first_line: bytes = b"") -> Language | None:
    """The language of the file at *path*, or None: still text, of no known language.

    *first_line* is looked at only when the name says nothing.
    """
    return _named_language(path[path.rfind("/") + 1 :]) or (
        _language_of_first_line(first_line) if first_line else None
    )


def languages_called(word: str) -> tuple[str, ...]:
    """Names of the languages that people mean by *word*: name, suffix, or a common other name.

    There are none for a word that means no language.
    """
    lower = word.strip().lower()
    name = _OTHER_NAMES.get(lower, lower)
    if name not in LANGUAGES:
        of_suffix = _BY_SUFFIX.get(f".{lower.removeprefix('.')}")
        if of_suffix is None:
            return ()
        name = of_suffix.name
    return (name, *_DIALECTS.get(name, ()))


def is_data(path: str, size: int = 0) -> bool:
    """Whether name and *size* in bytes mark recorded or generated data, which is not indexed."""
    if size > _BULKY_BYTES and path.endswith(_BULKY_SUFFIXES):
        return True
    name = path[path.rfind("/") + 1 :].lower()
    dot = name.rfind(".")
    return (dot >= 0 and name[dot:] in _DATA_SUFFIXES) or name in _DATA_FILENAMES


def is_minified(path: str) -> bool:
    """Whether the name marks a bundle that a tool has squeezed."""
    return path.endswith(_MINIFIED_ENDINGS)


def _named_language(name: str) -> Language | None:
    dot = name.rfind(".")
    suffix = name[dot:] if dot >= 0 else ""
    if dot > 0 and suffix not in _LAST_OF_TWO and name not in _BY_FILENAME:
        # The usual case, in two look-ups.
        found = _BY_SUFFIX.get(suffix)
        if found is not None and found.content == "code":
            return found
    lower = name.lower()
    found = _BY_FILENAME.get(lower)
    if found is None and dot >= 0:
        found = _language_of_suffix(lower, suffix)
    if found is None and suffix in _WRAPPERS:
        return _named_language(name[:dot])
    return found or _BY_FIRST_PART.get(lower.partition(".")[0])


def _language_of_suffix(lower: str, suffix: str) -> Language | None:
    if suffix in _BY_CASED_SUFFIX:
        return _BY_CASED_SUFFIX[suffix]
    last = lower.rfind(".")
    if lower[last:] in _LAST_OF_TWO:
        before = lower.rfind(".", 0, last)
        if before >= 0 and (found := _BY_SUFFIX.get(lower[before:])) is not None:
            return found
    return _BY_SUFFIX.get(lower[last:])


def _language_of_first_line(first_line: bytes) -> Language | None:
    line = first_line.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0][:256]
    text = line.decode("utf-8", "replace").strip()
    if text.startswith("#!"):
        return _BY_INTERPRETER.get(_interpreter_of(text[2:].split()))
    if text.startswith("<?php"):
        return LANGUAGES["php"]
    if text.startswith("<?xml"):
        return LANGUAGES["xml"]
    if text[:14].lower() == "<!doctype html":
        return LANGUAGES["html"]
    return None


def _interpreter_of(words: list[str]) -> str:
    """The program that a ``#!`` line names, without folder and version; ``""`` if it names none."""
    if not words:
        return ""
    program = words[0].rpartition("/")[2]
    if program == "env":
        program = _program_after_env(words[1:])
    name = program.rpartition("/")[2].lower().removesuffix(".exe")
    # python3.12, ruby-3.2, lua5.4: what is left of the first digit, unless the name needs it.
    return name if name in _BY_INTERPRETER else name.rstrip("0123456789.-_")


def _program_after_env(words: list[str]) -> str:
    skip_next = False
    for word in words:
        if skip_next:
            skip_next = False
        elif word.startswith("-S") and len(word) > 2:
            return word[2:]
        elif word.startswith("--split-string="):
            return word.removeprefix("--split-string=")
        elif word in {"-u", "-C", "--unset", "--chdir"}:
            skip_next = True
        elif not word.startswith("-") and "=" not in word:
            return word
    return ""
