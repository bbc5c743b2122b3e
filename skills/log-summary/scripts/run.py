"""Summary of a log text: JSON on standard input, JSON on standard output, exit code 2 for input that does not fit."""

import json
import re
import sys

MAX_CHARACTERS = 2_000_000
LEVELS = ["trace", "debug", "info", "warn", "error", "fatal"]
WORDS = {
    "fatal": ("fatal", "critical", "crit", "panic", "emerg", "emergency", "alert"),
    "error": ("error", "err", "severe"),
    "warn": ("warn", "warning"),
    "info": ("info", "notice", "information"),
    "debug": ("debug", "fine"),
    "trace": ("trace", "verbose"),
}
LEVEL_OF = {word: level for level, words in WORDS.items() for word in words}
NUMBERED = {10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "error", 60: "fatal"}
LEVEL_WORD = re.compile(r"(?<![A-Za-z0-9])(" + "|".join(LEVEL_OF) + r")(?![A-Za-z0-9])", re.IGNORECASE)
LEVEL_FIELD = re.compile(r"(?:^|[\s,;])(?:level|severity|lvl)=\"?([A-Za-z]+)", re.IGNORECASE)
MESSAGE_FIELD = re.compile(r'(?:^|\s)(?:msg|message)="((?:[^"\\]|\\.)*)"')
TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?", re.ASCII)
PLACEHOLDERS = [
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE), "<id>"),
    (re.compile(r"\b0x[0-9a-f]+\b", re.IGNORECASE), "<hex>"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b", re.ASCII), "<ip>"),
    (re.compile(r"\d+(?:[.,]\d+)*", re.ASCII), "<n>"),
    (re.compile(r"\s+"), " "),
]


def refuse(message):
    print(f"input error: {message}", file=sys.stderr)
    sys.exit(2)


def read_input():
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        refuse(f"standard input is not JSON: {error}")
    if not isinstance(data, dict):
        refuse("the input must be an object with a member log")
    unknown = sorted(set(data) - {"log", "top", "min_level"})
    if unknown:
        refuse(f"{unknown[0]} is not a known member; use log, top, min_level")
    log = data.get("log")
    if not isinstance(log, str) or not log.strip():
        refuse("log must be a text that is not empty")
    if len(log) > MAX_CHARACTERS:
        refuse(f"log must be at most {MAX_CHARACTERS} characters")
    top = data.get("top", 5)
    if isinstance(top, bool) or not isinstance(top, int) or not 1 <= top <= 50:
        refuse("top must be a whole number from 1 to 50")
    least = data.get("min_level")
    if least is not None and least not in LEVELS:
        refuse(f"min_level must be one of {', '.join(LEVELS)}")
    return log, top, least


def read_json_line(line):
    if not line.startswith("{"):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def read_line(line):
    """Level, time and message of one line of any of the three kinds."""
    record = read_json_line(line)
    time = TIME.search(line)
    time = time[0] if time else ""
    if record is not None:
        level = next((record[key] for key in ("level", "severity", "lvl") if key in record), "")
        message = next((record[key] for key in ("msg", "message") if isinstance(record.get(key), str)), line)
        level = NUMBERED.get(level, "none") if isinstance(level, int) else LEVEL_OF.get(str(level).lower(), "none")
        return level, time, message
    field = LEVEL_FIELD.search(line)
    word = LEVEL_WORD.search(line[:80])
    level = LEVEL_OF.get((field or word)[1].lower(), "none") if field or word else "none"
    message = MESSAGE_FIELD.search(line)
    if message:
        return level, time, message[1]
    return level, time, line.replace(time, "", 1) if time else line


def template_of(message):
    for pattern, placeholder in PLACEHOLDERS:
        message = pattern.sub(placeholder, message)
    return re.sub(r"^\[ ?\] ?", "", message.strip())[:300]


def main():
    log, top, least = read_input()
    kinds, times, by_level = {}, [], {}
    lines = continued = 0
    for number, line in enumerate(log.splitlines(), 1):
        if not line.strip():
            continue
        lines += 1
        # Indented lines carry on the message above, as stack traces do.
        if kinds and (line[0] in " \t" or line.startswith("Caused by:")):
            continued += 1
            continue
        level, time, message = read_line(line)
        by_level[level] = by_level.get(level, 0) + 1
        template = template_of(message)
        kind = kinds.setdefault((level, template), {"level": level, "count": 0, "first_line": number})
        kind["count"] += 1
        kind["message"] = template
        if time:
            times.append(time)
            kind.setdefault("first_time", time)
            kind["last_time"] = time
    shown = [k for k in kinds.values() if least is None or k["level"] in LEVELS[LEVELS.index(least) :]]
    shown.sort(key=lambda kind: (-kind["count"], kind["first_line"]))
    json.dump(
        {
            "lines": lines,
            "continuation_lines": continued,
            "first_time": min(times, default=None),
            "last_time": max(times, default=None),
            "by_level": {level: by_level[level] for level in [*reversed(LEVELS), "none"] if level in by_level},
            "kinds": len(kinds),
            "top": shown[:top],
        },
        sys.stdout,
        ensure_ascii=False,
    )
    print()


# A lone surrogate in the input is written as the escape that it came as.
sys.stdout.reconfigure(errors="backslashreplace")
main()
