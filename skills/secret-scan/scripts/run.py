"""Looks for credentials in texts and never prints one whole: JSON in, JSON out, exit code 2 for wrong input."""

import json
import math
import re
import sys
from collections import Counter

MAX_CHARACTERS = 2_000_000
MAX_FINDINGS = 500
# Kind, severity, pattern. A group named `s` is the secret; otherwise the whole match is.
RULES = [
    ("private_key", "high", r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    ("aws_access_key", "high", r"\b(?:AKIA|ASIA)[A-Z2-7]{16}\b"),
    ("github_token", "high", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{50,255})\b"),
    ("gitlab_token", "high", r"\bglpat-[A-Za-z0-9_-]{20,64}\b"),
    ("slack_token", "high", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,250}\b"),
    ("google_api_key", "high", r"\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])"),
    ("stripe_key", "high", r"\b[rs]k_live_[A-Za-z0-9]{20,250}\b"),
    ("npm_token", "high", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("model_api_key", "high", r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{32,250}\b"),
    ("jwt", "medium", r"\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{16,2000}"),
    ("url_password", "high", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@'\"<>]{0,100}:(?P<s>[^\s:/@'\"<>]{3,100})@[\w.\[-]"),
    (
        "assigned_secret",
        "medium",
        r"(?i)\b[\w.-]{0,40}(?:password|passwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)[\w]{0,20}[\"']?"
        r"\s{0,4}(?::|=>|=)\s{0,4}(?P<s>\"[^\"\s]{8,200}\"|'[^'\s]{8,200}'|[^\s\"'`,;(){}\[\]<>$]{12,200})",
    ),
]
COMPILED = [(kind, severity, re.compile(pattern)) for kind, severity, pattern in RULES]
PLACEHOLDER = re.compile(
    r"(?i)(?:example|sample|dummy|placeholder|change.?me|your[_-]|xxxx|\*\*\*|\.\.\.|redacted|process\.env|os\.environ)"
    r"|^[\"']?(?:\$|%|<|\{\{)"
)


def refuse(message):
    print(f"input error: {message}", file=sys.stderr)
    sys.exit(2)


def read_input():
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        refuse(f"standard input is not JSON: {error}")
    if not isinstance(data, dict):
        refuse("the input must be an object with text or files")
    unknown = sorted(set(data) - {"text", "files", "allow"})
    if unknown:
        refuse(f"{unknown[0]} is not a known member; use text, files, allow")
    if ("text" in data) == ("files" in data):
        refuse("give either text or files")
    files = data.get("files", {"text": data.get("text")})
    if not isinstance(files, dict) or not all(isinstance(text, str) for text in files.values()):
        refuse("text must be a text" if "text" in data else "files must be an object of path to text")
    if sum(len(text) for text in files.values()) > MAX_CHARACTERS:
        refuse(f"files must be at most {MAX_CHARACTERS} characters together")
    allow = data.get("allow", [])
    if not isinstance(allow, list) or not all(isinstance(text, str) and text for text in allow):
        refuse("allow must be a list of texts that are not empty")
    return files, allow


def entropy(text):
    """Bits for each character; words have about 3, random base64 above 4."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


def is_likely(kind, secret):
    if kind == "url_password":
        return not PLACEHOLDER.search(secret) and secret.lower() not in ("password", "pass", "secret", "token")
    if kind != "assigned_secret":
        return True
    bare = secret.strip("\"'")
    # Names, paths and calls in code read like values; real secrets mix letters and digits.
    if PLACEHOLDER.search(bare) or re.search(r"https?://|[/\\].*[/\\]", bare):
        return False
    return bool(re.search(r"\d", bare) and re.search(r"[A-Za-z]", bare)) and entropy(bare) >= 2.8


def preview(secret):
    """Enough to find it again, never enough to use it."""
    if secret.startswith("-----BEGIN"):
        return secret
    bare = secret.strip("\"'")
    shown = bare[: min(4, len(bare) // 4)]
    return f"{shown}… ({len(bare)} characters)"


def scan_line(line):
    found = []
    for kind, severity, pattern in COMPILED:
        for match in pattern.finditer(line):
            group = "s" if "s" in pattern.groupindex else 0
            start, end = match.span(group)
            # The first rule that names a place keeps it: rules run from the most to the least certain.
            if any(start < other_end and end > other_start for other_start, other_end, *_ in found):
                continue
            if is_likely(kind, match[group]):
                found.append((start, end, kind, severity, match[group]))
    return sorted(found)


def main():
    files, allow = read_input()
    findings, allowed = [], 0
    for path in sorted(files):
        for number, line in enumerate(files[path].splitlines(), 1):
            # Very long lines are minified or binary; scanning them in pieces keeps the time in bounds.
            for offset in range(0, len(line), 20_000):
                for start, _, kind, severity, secret in scan_line(line[offset : offset + 20_000]):
                    if any(text in secret for text in allow):
                        allowed += 1
                        continue
                    place = {"file": path, "line": number, "column": offset + start + 1}
                    findings.append({**place, "kind": kind, "severity": severity, "preview": preview(secret)})
    counts = Counter(finding["kind"] for finding in findings)
    result = {
        "clean": not findings,
        "total": len(findings),
        "allowed": allowed,
        "by_kind": dict(sorted(counts.items())),
        "findings": findings[:MAX_FINDINGS],
    }
    print(json.dumps(result, ensure_ascii=False))


# A lone surrogate in the input is written as the escape that it came as.
sys.stdout.reconfigure(errors="backslashreplace")
main()
