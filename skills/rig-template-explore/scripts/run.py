"""Ranks registry listings for a need and fills in an explore rig: JSON in, JSON out, exit code 2 for wrong input."""

import json
import math
import os
import re
import sys
import unicodedata
from urllib.parse import quote

LISTING_TYPES = ["skill", "server", "harness", "rig"]
CLASSES = ["prompt", "scripted", "mcp"]
MEMBERS = ["query", "candidates", "keep", "listing_type", "execution_class"]
MAX_CANDIDATES = 1000
# What a run can prove by itself counts more than what a model has to carry out.
CLASS_POINTS = {"scripted": 5, "mcp": 4, "prompt": 2}
# Words that say what kind of thing is wanted, not what it is for.
FILLER = {"a", "an", "and", "for", "of", "or", "the", "to", "with", "from", "in", "on", "my", "skill", "server", "tool", "mcp"}


def refuse(message):
    print(f"input error: {message}", file=sys.stderr)
    sys.exit(2)


def fold(text):
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.category(c).startswith("M")).lower()


def words_of(text):
    return [word for word in re.split(r"[\W_]+", fold(text)) if word]


def read_input():
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        refuse(f"standard input is not JSON: {error}")
    if not isinstance(data, dict):
        refuse("the input must be an object with a member query")
    unknown = sorted(set(data) - set(MEMBERS))
    if unknown:
        refuse(f"{unknown[0]} is not a known member; use {', '.join(MEMBERS)}")
    query = data.get("query")
    if not isinstance(query, str) or not words_of(query) or len(query) > 200:
        refuse("query must be a text of 1 to 200 characters with at least one word")
    keep = data.get("keep", 5)
    if isinstance(keep, bool) or not isinstance(keep, int) or not 1 <= keep <= 20:
        refuse("keep must be a whole number from 1 to 20")
    for member, allowed in (("listing_type", LISTING_TYPES), ("execution_class", CLASSES)):
        if member in data and data[member] not in allowed:
            refuse(f"{member} must be one of {', '.join(allowed)}")
    candidates = data.get("candidates", [])
    if isinstance(candidates, dict) and isinstance(candidates.get("items"), list):
        candidates = candidates["items"]
    if not isinstance(candidates, list) or len(candidates) > MAX_CANDIDATES:
        refuse(f"candidates must be a list of at most {MAX_CANDIDATES} registry items")
    return query.strip(), keep, [read_candidate(item, i) for i, item in enumerate(candidates)], data


def read_candidate(item, index):
    if not isinstance(item, dict):
        refuse(f"candidates/{index} must be a registry item")
    provider = item.get("provider_id") or item.get("source") or item.get("provider")
    for member, value in (("provider_id", provider), ("external_id", item.get("external_id")), ("name", item.get("name"))):
        if not isinstance(value, str) or not value:
            refuse(f"candidates/{index}/{member} must be a text that is not empty")
    text = {key: item[key] if isinstance(item.get(key), str) else "" for key in ("description", "author")}
    count = {key: item[key] if isinstance(item.get(key), int) and item[key] > 0 else 0 for key in ("downloads", "stars")}
    tags = item.get("tags")
    return {
        "provider": provider,
        "external_id": item["external_id"],
        "name": item["name"],
        "listing_type": item.get("listing_type", ""),
        "execution_class": item.get("execution_class", ""),
        "tags": [tag for tag in tags if isinstance(tag, str)] if isinstance(tags, list) else [],
        **text,
        **count,
    }


def score(item, terms):
    """0 to 100: 55 for the words that occur, 25 for where they occur, 15 for use, 5 for the class. None if none occurs."""
    places = {
        "name": (1.0, words_of(item["name"])),
        "tag": (0.8, [word for tag in item["tags"] for word in words_of(tag)]),
        "description": (0.4, words_of(item["description"])),
        "author": (0.2, words_of(item["author"])),
    }
    found, strength = {}, 0.0
    for term in terms:
        # A word inside a longer one counts half.
        hits = [
            (weight if term in words else weight / 2, place)
            for place, (weight, words) in places.items()
            if any(term in word for word in words)
        ]
        if hits:
            best, place = max(hits)
            strength += best
            found.setdefault(place, []).append(term)
    matched = sum(len(terms_found) for terms_found in found.values())
    if matched == 0:
        return None
    use = min(1.0, math.log10(1 + item["downloads"] + 10 * item["stars"]) / 7)
    points = 55 * matched / len(terms) + 25 * strength / len(terms) + 15 * use + CLASS_POINTS.get(item["execution_class"], 0)
    reasons = [f"{place}: {', '.join(terms_found)}" for place, terms_found in found.items()]
    missing = [term for term in terms if not any(term in terms_found for terms_found in found.values())]
    if missing:
        reasons.append(f"not found: {', '.join(missing)}")
    reasons.append(f"{item['downloads']} downloads, {item['stars']} stars")
    return round(points, 1), reasons


def rank(candidates, terms, wanted):
    """Best first; the same name at several providers stands once, with the others beside it."""
    scored = []
    for item in candidates:
        if any(item[key] != value for key, value in wanted.items()):
            continue
        result = score(item, terms)
        if result:
            scored.append((-result[0], fold(item["name"]), item["provider"], item["external_id"], item, result))
    scored.sort(key=lambda entry: entry[:4])
    by_name, ranked, seen = {}, [], set()
    for _, name, provider, external_id, item, (points, reasons) in scored:
        if (provider, external_id) in seen:
            continue
        seen.add((provider, external_id))
        same = by_name.get((name, item["listing_type"]))
        if same is not None and provider != same["provider"]:
            same.setdefault("also_at", []).append({"provider": provider, "external_id": external_id})
            continue
        entry = {key: item[key] for key in ("provider", "external_id", "name", "listing_type", "execution_class")}
        entry |= {"score": points, "reasons": reasons}
        by_name.setdefault((name, item["listing_type"]), entry)
        ranked.append(entry)
    return ranked


def plan_for(query, terms, kept, wanted):
    steps = []
    if not kept:
        arguments = {"query": query, "limit": 50}
        if "listing_type" in wanted:
            arguments["listing_type"] = wanted["listing_type"]
        steps.append({"tool": "registry_search", "arguments": arguments, "why": "Listings that hold every word of the need."})
        for term in terms[:3] if len(terms) > 1 else []:
            steps.append(
                {"tool": "registry_search", "arguments": {**arguments, "query": term}, "why": "Listings named otherwise."}
            )
        steps.append(
            {"tool": "rig-template-explore", "arguments": {"query": query}, "why": "Rank: pass all items as candidates."}
        )
    for entry in kept:
        path = f"/api/marketplace/registry/{quote(entry['provider'], safe='')}/{quote(entry['external_id'], safe='')}"
        steps.append({"get": path, "why": f"Licence, install and repository of {entry['name'][:100]}."})
    return [{"step": number, **step} for number, step in enumerate(steps, 1)]


def fill_rig(values):
    here = os.path.dirname(os.path.abspath(sys.argv[0]))
    with open(os.path.join(here, "..", "assets", "rig.yaml"), encoding="utf-8") as file:
        template = file.read()
    return re.sub(r": [^\n]*? # \{\{(\w+)\}\}", lambda match: f": {as_yaml(values[match[1]])}", template)


def shown_in_rig(item):
    """What the rig needs to rank the same listings again."""
    cut = {"description": item["description"][:300], "tags": [tag[:60] for tag in item["tags"][:20]]}
    return {key: value for key, value in {**item, **cut}.items() if value not in ("", 0, [])}


def as_yaml(value):
    """JSON is YAML, so a value that was written by a stranger cannot leave its place; older YAML breaks lines at more."""
    text = json.dumps(value, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]", lambda match: f"\\u{ord(match[0]):04x}", text)


def main():
    query, keep, candidates, data = read_input()
    terms = list(dict.fromkeys(words_of(query)))
    terms = [term for term in terms if term not in FILLER] or terms
    wanted = {key: data[key] for key in ("listing_type", "execution_class") if key in data}
    ranked = rank(candidates, terms, wanted)
    kept = ranked[:keep]
    by_id = {(item["provider"], item["external_id"]): item for item in reversed(candidates)}
    rig = fill_rig(
        {
            "name": "explore-" + ("-".join(re.findall(r"[a-z0-9]+", fold(query)))[:50].strip("-") or "need"),
            "description": f"Finds the capability that fits: {query}",
            "query": query,
            "keep": keep,
            "candidates": [shown_in_rig(by_id[entry["provider"], entry["external_id"]]) for entry in kept],
        }
    )
    output = "/workspace/output"
    if os.path.isdir(output):
        with open(os.path.join(output, "rig.yaml"), "w", encoding="utf-8") as file:
            file.write(rig)
    result = {
        "query": query,
        "terms": terms,
        "considered": len(candidates),
        "matched": len(ranked),
        "ranked": kept,
        "plan": plan_for(query, terms, kept, wanted),
        "rig_yaml": rig,
    }
    print(json.dumps(result, ensure_ascii=False))


# A lone surrogate in the input is written as the escape that it came as.
sys.stdout.reconfigure(errors="backslashreplace")
main()
