"""Profile a CSV text: JSON on standard input, JSON on standard output, exit code 2 for input that does not fit."""

import csv
import datetime
import io
import json
import math
import re
import sys
from collections import Counter

MAX_BYTES = 5_000_000
MISSING = {"", "na", "n/a", "nan", "null", "none", "-"}
BOOLEANS = {"true", "false", "yes", "no"}
DELIMITERS = [",", ";", "\t", "|"]
# A leading zero marks a code such as a postcode, which must not be read as a number.
INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})", re.ASCII)
NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)?(\.[0-9]+)?([eE][+-]?[0-9]+)?", re.ASCII)
DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
DATETIME = re.compile(r"(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(:\d{2})?)(\.\d+)?(Z|[+-]\d{2}:?\d{2})?", re.ASCII)


def refuse(message):
    print(f"input error: {message}", file=sys.stderr)
    sys.exit(2)


def read_input():
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        refuse(f"standard input is not JSON: {error}")
    if not isinstance(data, dict):
        refuse("the input must be an object with a member csv")
    unknown = sorted(set(data) - {"csv", "delimiter", "header", "top"})
    if unknown:
        refuse(f"{unknown[0]} is not a known member; use csv, delimiter, header, top")
    text = data.get("csv")
    if not isinstance(text, str) or not text.strip():
        refuse("csv must be a text that is not empty")
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        refuse(f"csv must be at most {MAX_BYTES} bytes")
    delimiter = data.get("delimiter", "auto")
    if delimiter != "auto" and delimiter not in DELIMITERS:
        refuse('delimiter must be "auto", ",", ";", "|" or a tab')
    header = data.get("header", True)
    if not isinstance(header, bool):
        refuse("header must be true or false")
    top = data.get("top", 3)
    if isinstance(top, bool) or not isinstance(top, int) or not 0 <= top <= 20:
        refuse("top must be a whole number from 0 to 20")
    return text.lstrip("\ufeff"), delimiter, header, top


def read_rows(text, delimiter):
    csv.field_size_limit(MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [(reader.line_num, row) for row in reader if row]


def guess_delimiter(text):
    """The one that gives most rows the same width above one; wider wins a tie."""
    sample = "\n".join(text.splitlines()[:50])
    best, best_score = ",", (0, 0)
    for delimiter in DELIMITERS:
        widths = Counter(len(row) for _, row in read_rows(sample, delimiter))
        if not widths:
            continue
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        score = (count / sum(widths.values()), width) if width > 1 else (0, 0)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def is_number(value):
    return bool(NUMBER.fullmatch(value)) and any(c.isdigit() for c in value) and math.isfinite(float(value))


def is_date(value):
    if not DATE.fullmatch(value):
        return False
    try:
        datetime.date.fromisoformat(value)
    except ValueError:
        return False
    return True


def is_datetime(value):
    match = DATETIME.fullmatch(value)
    if not match or not is_date(match[1]):
        return False
    parts = [int(part) for part in match[2].split(":")]
    return parts[0] < 24 and all(part < 60 for part in parts[1:])


TESTS = [
    ("integer", lambda value: bool(INTEGER.fullmatch(value))),
    ("number", is_number),
    ("boolean", lambda value: value.lower() in BOOLEANS),
    ("date", is_date),
    ("datetime", is_datetime),
]


def type_of(values):
    if not values:
        return "empty"
    return next((name for name, test in TESTS if all(test(value) for value in values)), "text")


def tidy(number):
    rounded = round(number, 6)
    return int(rounded) if rounded == int(rounded) else rounded


def profile(name, index, cells, top):
    values = [cell.strip() for cell in cells if cell.strip().lower() not in MISSING]
    counts = Counter(values)
    kind = type_of(list(counts))
    column = {
        "name": name,
        "index": index,
        "type": kind,
        "missing": len(cells) - len(values),
        "distinct": len(counts),
        "unique": len(counts) == len(values) == len(cells) and bool(cells),
    }
    if kind == "integer":
        numbers = [int(value) for value in values]
        column |= {"min": min(numbers), "max": max(numbers), "mean": tidy(sum(numbers) / len(numbers))}
    elif kind == "number":
        numbers = [float(value) for value in values]
        mean = math.fsum(number / len(numbers) for number in numbers)
        column |= {"min": tidy(min(numbers)), "max": tidy(max(numbers)), "mean": tidy(mean)}
    elif kind in ("date", "datetime"):
        column |= {"min": min(values), "max": max(values)}
    elif kind == "text":
        lengths = [len(value) for value in values]
        column |= {"min_length": min(lengths), "max_length": max(lengths)}
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:top]
    column["top"] = [{"value": value[:200], "count": count} for value, count in ordered]
    return column


def warnings_for(names, columns, ragged):
    found = []
    doubled = sorted(name for name, count in Counter(names).items() if count > 1)
    found += [f"The column name {name!r} occurs more than once." for name in doubled]
    found += [f"Column {column['index']} has no name." for column in columns if not column["name"]]
    found += [f"The column {c['name']!r} is empty." for c in columns if c["type"] == "empty"]
    if ragged:
        found.append(f"{len(ragged)} rows do not have {len(names)} cells.")
    return found


def main():
    text, delimiter, header, top = read_input()
    if delimiter == "auto":
        delimiter = guess_delimiter(text)
    try:
        rows = read_rows(text, delimiter)
    except csv.Error as error:
        refuse(f"csv cannot be read: {error}")
    if not rows:
        refuse("csv has no rows")
    width = len(rows[0][1]) if header else max(len(row) for _, row in rows)
    names = [cell.strip() for cell in rows[0][1]] if header else [f"column_{i + 1}" for i in range(width)]
    body = rows[1:] if header else rows
    ragged = [line for line, row in body if len(row) != width]
    cells = [[row[i] if i < len(row) else "" for _, row in body] for i in range(width)]
    columns = [profile(names[i], i, cells[i], top) for i in range(width)]
    repeated = Counter(tuple(row) for _, row in body)
    json.dump(
        {
            "rows": len(body),
            "delimiter": delimiter,
            "columns": columns,
            "duplicate_rows": sum(count - 1 for count in repeated.values()),
            "ragged_lines": ragged[:100],
            "warnings": warnings_for(names, columns, ragged),
        },
        sys.stdout,
        ensure_ascii=False,
    )
    print()


# A lone surrogate in the input is written as the escape that it came as.
sys.stdout.reconfigure(errors="backslashreplace")
main()
