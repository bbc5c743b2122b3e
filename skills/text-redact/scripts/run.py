"""Takes personal data and credentials out of a text: JSON in, JSON out, exit code 2 for input that does not fit."""

import ipaddress
import json
import re
import sys
from collections import Counter

MAX_CHARACTERS = 1_000_000
MAX_LIST = 500
STYLES = ["numbered", "kind", "mask"]
MEMBERS = ["text", "kinds", "terms", "keep", "style"]
SECRET_NAME = r"pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential"
# From the most to the least certain: the first rule that names a place keeps it. A group named `s` is the value. Every
# repeat is bounded, so that time grows with the length only.
RULES = [
    ("private_key", r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s:,.]|-(?!-)){0,20000}(?:-----END [A-Z0-9 ]{1,60}-----)?"),
    ("token", r"\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,2000})?"),
    ("token", r"(?i)\b(?:bearer|basic)\s{1,4}(?P<s>[A-Za-z0-9._~+/=-]{8,2000})"),
    ("token", r"\b(?:gh[opsur]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,64}|npm_[A-Za-z0-9]{30,64})"),
    ("token", r"\b(?:xox[abeoprs]-[A-Za-z0-9-]{10,250}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{35}|[prs]k[-_][A-Za-z0-9_-]{16,250})"),
    ("password", r"\b[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s:/@'\"<>]{0,100}:(?P<s>[^\s:/@'\"<>]{1,200})@"),
    ("password", rf"(?i)(?:{SECRET_NAME})[\"']?\s{{0,4}}(?:=>|[:=])\s{{0,4}}\"(?P<s>[^\"\n]{{3,500}})\""),
    ("password", rf"(?i)(?:{SECRET_NAME})[\"']?\s{{0,4}}(?:=>|[:=])\s{{0,4}}'(?P<s>[^'\n]{{3,500}})'"),
    ("password", rf"(?i)(?:{SECRET_NAME})\s{{0,4}}(?:=>|[:=])\s{{0,4}}(?P<s>[^\s\"',;(){{}}\[\]<>]{{6,500}})"),
    ("email", r"(?<![\w.+%-])[\w.+%-]{1,64}@(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.){1,8}[^\W\d_]{2,24}(?![\w-])"),
    ("iban", r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"),
    ("card", r"(?<![\w.-])[2-6]\d{3}(?:[ -]?\d){8,15}(?![\w-])"),
    ("ip", r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)"),
    ("ip", r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])"),
    ("phone", r"(?<![\w+])\+\d(?:[ ().-]{0,2}\d){7,14}(?!\w)"),
    ("phone", r"(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])"),
]
KINDS = [*dict.fromkeys(kind for kind, _ in RULES), "term"]
COMPILED = [(kind, re.compile(pattern)) for kind, pattern in RULES]
# References and gaps that somebody else fills in.
REFERENCE = re.compile(r"^(?:\$\{|\$[A-Za-z_]|\{\{|<|%[A-Za-z_]|\*\*\*|\[)")


def refuse(message):
    print(f"input error: {message}", file=sys.stderr)
    sys.exit(2)


def texts_of(data, member):
    value = data.get(member, [])
    if not isinstance(value, list) or not all(isinstance(it, str) and it.strip() and len(it) <= 200 for it in value):
        refuse(f"{member} must be a list of texts of 1 to 200 characters")
    if len(value) > MAX_LIST:
        refuse(f"{member} must hold at most {MAX_LIST}")
    return value


def read_input():
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        refuse(f"standard input is not JSON: {error}")
    if not isinstance(data, dict):
        refuse("the input must be an object with a member text")
    unknown = sorted(set(data) - set(MEMBERS))
    if unknown:
        refuse(f"{unknown[0]} is not a known member; use {', '.join(MEMBERS)}")
    text = data.get("text")
    if not isinstance(text, str) or len(text) > MAX_CHARACTERS:
        refuse(f"text must be a text of at most {MAX_CHARACTERS} characters")
    kinds = data.get("kinds", KINDS)
    if not isinstance(kinds, list) or not kinds or not all(kind in KINDS for kind in kinds):
        refuse(f"kinds must be a list of {', '.join(KINDS)}")
    style = data.get("style", "numbered")
    if style not in STYLES:
        refuse(f"style must be one of {', '.join(STYLES)}")
    return text, kinds, texts_of(data, "terms"), set(texts_of(data, "keep")), style


def luhn(digits):
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def is_iban(text):
    turned = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in turned)) % 97 == 1


def is_ip(text):
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    # `::` and `0::` are found in code; they name no machine.
    return int(address) > 1 if address.version == 6 else True


def is_meant(kind, value):
    if kind == "card":
        digits = re.sub(r"\D", "", value)
        return 13 <= len(digits) <= 19 and luhn(digits)
    if kind == "iban":
        return is_iban(value.replace(" ", ""))
    if kind == "ip":
        return is_ip(value)
    if kind == "password":
        return not REFERENCE.match(value)
    return True


def rules_for(kinds, terms):
    rules = [rule for rule in COMPILED if rule[0] in kinds]
    if terms and "term" in kinds:
        longest_first = sorted(set(terms), key=lambda term: (-len(term), term))
        words = "|".join(re.escape(term) for term in longest_first)
        rules.append(("term", re.compile(rf"(?i)(?<!\w)(?:{words})(?!\w)")))
    return rules


def find(text, rules, keep):
    """Places from left to right, none of which overlap."""
    taken = bytearray(len(text))
    found = []
    for kind, pattern in rules:
        for match in pattern.finditer(text):
            start, end = match.span("s" if "s" in pattern.groupindex else 0)
            value = text[start:end]
            if taken.find(1, start, end) >= 0 or value in keep or not is_meant(kind, value):
                continue
            taken[start:end] = b"\x01" * (end - start)
            found.append((start, end, kind))
    return sorted(found)


def main():
    text, kinds, terms, keep, style = read_input()
    pieces, end, names, counts, numbers = [], 0, {}, Counter(), Counter()
    for start, stop, kind in find(text, rules_for(kinds, terms), keep):
        # The same value in other letters is the same value.
        value = (kind, text[start:stop].casefold())
        if value not in names:
            numbers[kind] += 1
            numbered = f"[{kind.upper()}_{numbers[kind]}]"
            names[value] = {"numbered": numbered, "kind": f"[{kind.upper()}]", "mask": "***"}[style]
        placeholder = names[value]
        counts[(placeholder, kind)] += 1
        pieces += [text[end:start], placeholder]
        end = stop
    by_kind = Counter()
    for (_, kind), count in counts.items():
        by_kind[kind] += count
    result = {
        "text": "".join([*pieces, text[end:]]),
        "total": sum(by_kind.values()),
        "by_kind": dict(sorted(by_kind.items())),
        "placeholders": [{"placeholder": name, "kind": kind, "count": count} for (name, kind), count in counts.items()],
    }
    print(json.dumps(result, ensure_ascii=False))


# A lone surrogate in the input is written as the escape that it came as.
sys.stdout.reconfigure(errors="backslashreplace")
main()
