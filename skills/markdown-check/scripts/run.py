"""Outline and dead links of Markdown files: JSON in, JSON out, exit code 2 for input that does not fit."""

import json
import posixpath
import re
import sys
from urllib.parse import unquote

MAX_CHARACTERS = 2_000_000
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
# The text may hold one pair of brackets, the target one pair of parentheses.
LINK = re.compile(
    r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*(<[^<>]*>|(?:[^\s()<>]|\([^\s()]*\))*)(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
)
REFERENCE = re.compile(r"(!?)\[([^\[\]]+)\]\[([^\[\]]*)\]")
DEFINITION = re.compile(r" {0,3}\[([^\[\]]+)\]:\s*(<[^<>]*>|\S+)")
HTML_ANCHOR = re.compile(r"<[a-zA-Z][^<>]*?\s(?:id|name)\s*=\s*[\"']([^\"'<>]+)[\"']")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


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
    unknown = sorted(set(data) - {"text", "files", "other_paths"})
    if unknown:
        refuse(f"{unknown[0]} is not a known member; use text, files, other_paths")
    if ("text" in data) == ("files" in data):
        refuse("give either text or files")
    files = data.get("files", {"README.md": data.get("text")})
    if not isinstance(files, dict) or not files or not all(isinstance(text, str) for text in files.values()):
        refuse("text must be a text" if "text" in data else "files must be an object of path to text, not empty")
    if sum(len(text) for text in files.values()) > MAX_CHARACTERS:
        refuse(f"files must be at most {MAX_CHARACTERS} characters together")
    others = data.get("other_paths", [])
    if not isinstance(others, list) or not all(isinstance(path, str) for path in others):
        refuse("other_paths must be a list of texts")
    # One text alone says nothing about which files stand beside it.
    return files, others, "files" in data


def slug(text, taken):
    """The anchor of a heading, as GitHub makes it; repeats get -1, -2, …"""
    text = re.sub(r"!?\[([^\[\]]*)\]\([^()]*\)", r"\1", text)
    base = re.sub(r"[^\w\- ]", "", re.sub(r"[`*~]|<[^<>]*>", "", text).strip().lower()).replace(" ", "-")
    number = taken.get(base, -1) + 1
    while number and f"{base}-{number}" in taken:
        number += 1
    taken[base] = number
    anchor = f"{base}-{number}" if number else base
    taken.setdefault(anchor, 0)
    return anchor


def prose_lines(text):
    """Line number and text of each line outside front matter and fenced code, with code spans blanked out."""
    lines = text.lstrip("\ufeff").splitlines()
    start = 0
    if lines and lines[0].rstrip() == "---":
        end = next((i for i, line in enumerate(lines[1:], 1) if line.rstrip() in ("---", "...")), None)
        start = end + 1 if end else 0
    fence = ""
    for number, line in enumerate(lines[start:], start + 1):
        match = FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
            continue
        if match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            continue
        yield number, line


def read_file(text):
    page = {"headings": [], "anchors": {}, "links": [], "definitions": {}, "uses": []}
    previous = (0, "")
    for number, line in prose_lines(text):
        heading = HEADING.match(line)
        under = UNDERLINE.match(line)
        before = previous[1].strip()
        if heading:
            add_heading(page, len(heading[1]), (heading[2] or "").strip(), number)
        elif under and previous[0] == number - 1 and before and not re.match(r"[#>|*+-]|\d+[.)]", before):
            add_heading(page, 1 if under[1][0] == "=" else 2, before, number - 1)
        bare = CODE_SPAN.sub(lambda match: "x" * len(match[0]), line)
        for anchor in HTML_ANCHOR.findall(bare):
            page["anchors"].setdefault(anchor, 0)
        definition = DEFINITION.match(bare)
        if definition:
            page["definitions"].setdefault(definition[1].strip().lower(), definition[2].strip("<>"))
            page["links"].append((number, "", "x", definition[2].strip("<>")))
        else:
            find_links(page, number, bare)
        previous = (number, "" if heading else line)
    return page


def add_heading(page, level, text, line):
    page["headings"].append({"level": level, "text": text, "anchor": slug(text, page["anchors"]), "line": line})


def find_links(page, number, line):
    for image, text, target in LINK.findall(line):
        page["links"].append((number, image, text, target.strip("<>")))
        # An image inside a link is a link of its own.
        find_links(page, number, text)
    for image, text, label in REFERENCE.findall(line):
        page["uses"].append((number, image, text, (label or text).strip().lower()))


def resolve(path, target):
    target = unquote(target.split("?")[0])
    joined = target.lstrip("/") if target.startswith("/") else posixpath.join(posixpath.dirname(path), target)
    return posixpath.normpath(joined)


def check_link(path, link, pages, known):
    """What is wrong with one link, as (kind, detail), or None."""
    _, image, text, target = link
    if not target:
        return "empty_link", "The link has no target."
    if image and not text.strip():
        return "missing_alt", "The image has no alternative text."
    if SCHEME.match(target) or target.startswith("//"):
        return None
    place, _, anchor = target.partition("#")
    page = path
    if place:
        if known is None:
            return None
        page = resolve(path, place)
        if page.startswith("../") or (page not in known and not any(name.startswith(page + "/") for name in known)):
            return "missing_file", f"There is no {page}."
    if anchor and page in pages and unquote(anchor) not in pages[page]["anchors"] and anchor.lower() != "top":
        return "missing_anchor", f"{page} has no heading with the anchor #{anchor}."
    return None


def problems_of(path, pages, known):
    page, found = pages[path], []

    def add(line, kind, target, detail):
        found.append({"file": path, "line": line, "kind": kind, "target": target, "detail": detail})

    for link in page["links"]:
        wrong = check_link(path, link, pages, known)
        if wrong:
            add(link[0], wrong[0], link[3], wrong[1])
    for line, _, _, label in page["uses"]:
        if label not in page["definitions"]:
            add(line, "missing_definition", label, f"There is no line [{label}]: with its target.")
    level = 0
    for heading in page["headings"]:
        if not heading["text"]:
            add(heading["line"], "empty_heading", "", "The heading has no text.")
        if level and heading["level"] > level + 1:
            add(heading["line"], "skipped_level", heading["text"], f"Level {heading['level']} follows level {level}.")
        level = heading["level"]
    return sorted(found, key=lambda problem: (problem["line"], problem["kind"], problem["target"]))


def toc_of(headings):
    inner = [heading for heading in headings if heading["level"] > 1] or headings
    least = min((heading["level"] for heading in inner), default=1)
    return "".join(f"{'  ' * (h['level'] - least)}- [{h['text']}](#{h['anchor']})\n" for h in inner)


def main():
    files, others, has_tree = read_input()
    texts = {posixpath.normpath(path): text for path, text in files.items()}
    pages = {path: read_file(text) for path, text in texts.items()}
    known = {*texts, *(posixpath.normpath(path) for path in others)} if has_tree else None
    problems = [problem for path in sorted(pages) for problem in problems_of(path, pages, known)]
    result = {
        "ok": not problems,
        "problems": problems,
        "files": [
            {
                "path": path,
                "headings": page["headings"],
                "toc": toc_of(page["headings"]),
                "links": len(page["links"]) + len(page["uses"]),
                "external": sorted({link[3] for link in page["links"] if re.match(r"https?:|//", link[3])}),
            }
            for path, page in sorted(pages.items())
        ],
    }
    print(json.dumps(result, ensure_ascii=False))


# A lone surrogate in the input is written as the escape that it came as.
sys.stdout.reconfigure(errors="backslashreplace")
main()
