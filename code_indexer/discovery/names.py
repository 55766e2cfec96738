"""What a name alone gives away: folders that are never source, secrets, files that are not text."""

from code_indexer.languages import AMBIGUOUS_SUFFIXES, SPECIAL_NAMES

NEVER_ENTERED = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", ".sl", "CVS", ".pijul", "_darcs"})
"""Folders of version control; not even ``.codeindexignore`` brings them in."""

OFTEN_SOURCE = frozenset({"build", "target"})
"""Built-in folders that some projects write by hand: what git tracks in them is source."""

BUILT_IN_FOLDERS = frozenset(
    {
        "node_modules",
        "bower_components",
        "venv",
        ".venv",
        "__pycache__",
        "dist",
        "build",
        "target",
        ".tox",
        ".nox",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        ".eggs",
        ".ipynb_checkpoints",
        ".gradle",
        ".terraform",
        ".next",
        ".nuxt",
        ".svelte-kit",
        ".turbo",
        ".parcel-cache",
        ".yarn",
        ".pnpm-store",
        ".dart_tool",
        ".bundle",
        ".stack-work",
        ".zig-cache",
        "zig-cache",
        "zig-out",
        "dist-newstyle",
        ".direnv",
        ".Trash",
        ".idea",
        ".vs",
    }
)
"""Folders of installed packages, build output and caches."""

VIRTUAL_ENVIRONMENT_MARK = "pyvenv.cfg"
"""A folder that holds this file is a Python environment, whatever its name."""

_BINARY_SUFFIXES = frozenset(
    (
        *(".png", ".jpg", ".jpeg", ".gif", ".bmp", ".ico", ".icns", ".webp", ".avif", ".heic"),
        *(".tif", ".tiff", ".psd", ".ai", ".xcf", ".sketch", ".fig", ".raw", ".dds", ".tga"),
        *(".mp3", ".mp4", ".m4a", ".m4v", ".ogg", ".oga", ".ogv", ".opus", ".wav", ".flac"),
        *(".aac", ".avi", ".mov", ".mkv", ".webm", ".mid", ".midi", ".wmv"),
        *(".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".lz4", ".7z", ".rar", ".tar", ".br"),
        *(".jar", ".war", ".ear", ".aar", ".apk", ".ipa", ".aab", ".whl", ".egg", ".gem"),
        *(".nupkg", ".deb", ".rpm", ".dmg", ".iso", ".img", ".msi", ".pkg", ".cab", ".crx"),
        *(".exe", ".dll", ".so", ".dylib", ".a", ".o", ".obj", ".lib", ".pyc", ".pyo", ".pyd"),
        *(".class", ".wasm", ".elc", ".beam", ".hi", ".rlib", ".rmeta", ".node", ".bin", ".ko"),
        *(".pdf", ".doc", ".docx", ".xls", ".xlsx", ".ppt", ".pptx", ".odt", ".ods", ".odp"),
        *(".ttf", ".otf", ".woff", ".woff2", ".eot", ".epub", ".mobi"),
        *(".db", ".sqlite", ".sqlite3", ".mdb", ".parquet", ".feather", ".orc", ".avro"),
        *(".npy", ".npz", ".pkl", ".pickle", ".pt", ".pth", ".onnx", ".tflite", ".h5", ".hdf5"),
        *(".safetensors", ".gguf", ".mat", ".rds", ".rdata", ".pack", ".idx", ".lockb"),
        *(".blend", ".fbx", ".glb", ".usdz", ".unitypackage", ".swf", ".mo", ".gmo", ".nib"),
    )
)

_KEY_SUFFIXES = (
    *(".pem", ".key", ".p12", ".pfx", ".p8", ".pk8", ".ppk", ".jks", ".jceks", ".bks"),
    *(".keystore", ".truststore", ".kdbx", ".pkcs12", ".keychain", ".ovpn", ".mobileprovision"),
)
_CREDENTIAL_NAMES = frozenset(
    {
        *("id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk", "identity"),
        *(".netrc", "_netrc", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".htpasswd"),
        *(".pypirc", ".git-credentials", ".dockercfg", ".boto", ".s3cfg", ".passwd-s3fs"),
        *(".vault_pass", ".vault_password", ".vault-token", "kubeconfig", ".kubeconfig"),
        *("credentials", ".credentials", "credentials.json", "credentials.yml", "credentials.yaml"),
        *("credentials.xml", "credentials.csv", "credentials.ini", "credentials.toml"),
        *("client_secret.json", "client_secrets.json", "service-account.json"),
        *("service_account.json", "serviceaccount.json", "application_default_credentials.json"),
        *("secrets.json", "secrets.yml", "secrets.yaml", "secrets.toml", "secrets.ini", ".secrets"),
        *("secrets.properties", "secrets.env", "secring.gpg", "terraform.tfstate"),
        *(".htdigest", ".smbcredentials", ".rhosts", "shadow", ".terraformrc", ".age-key"),
    }
)
NAMES_APART = SPECIAL_NAMES | _CREDENTIAL_NAMES
"""Names, in lower case, that are not treated like others of their suffix."""
MINIFIED_MARK = "min."
_TEMPLATE_MARKS = ("example", "sample", "template", "dist", "tmpl", "defaults", "schema")


def is_binary_name(lower: str) -> bool:
    """Whether the suffix of a name, in lower case, is one of files that are not text."""
    dot = lower.rfind(".")
    return dot > 0 and lower[dot:] in _BINARY_SUFFIXES


def is_credential_name(lower: str) -> bool:
    """Whether a name, in lower case, is one under which people keep secrets."""
    if lower in _CREDENTIAL_NAMES or lower.endswith(_KEY_SUFFIXES):
        return True
    if lower.startswith(".env"):
        return not lower.endswith(_TEMPLATE_MARKS)
    if lower.endswith(".env"):
        return not lower.startswith(_TEMPLATE_MARKS)
    return lower.startswith("client_secret_") and lower.endswith(".json")


def telling_suffix(name: str) -> str:
    """The suffix of *name*, if all names with this suffix are treated alike; else ``""``."""
    dot = name.rfind(".")
    # Names like ".env.local", "app.min.js" and "client_secret_1.json" are told by other parts.
    if dot <= 0 or name[0] == ".":
        return ""
    lower = name.lower()
    if lower in NAMES_APART or MINIFIED_MARK in lower:
        return ""
    suffix = name[dot:]
    return "" if suffix in AMBIGUOUS_SUFFIXES else suffix
