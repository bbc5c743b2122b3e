#!/usr/bin/env bash
# Runs a jq filter over a document: JSON on standard input, JSON on standard output. Exit code 2 for input that does
# not fit, 1 for a filter that fails.
set -u

input=$(cat)
if ! printf '%s' "$input" | jq empty >/dev/null 2>&1; then
  echo 'input error: standard input is not JSON' >&2
  exit 2
fi

wrong=$(printf '%s' "$input" | jq -r '
  if type != "object" then "the input must be an object with document and filter"
  else (keys - ["document", "filter", "text"]) as $unknown
  | if $unknown != [] then $unknown[0] + " is not a known member; use document, filter, text"
    elif has("document") == has("text") then "give either document or text"
    elif has("text") and (.text | type) != "string" then "text must be a text"
    elif (.filter | type) != "string" or .filter == "" then "filter must be a jq filter, such as .items[].name"
    elif (.filter | length) > 10000 then "filter must be at most 10000 characters"
    else "" end
  end')
if [ -n "$wrong" ]; then
  printf 'input error: %s\n' "$wrong" >&2
  exit 2
fi

filter=$(printf '%s' "$input" | jq -r '.filter')
# `text` is a stream of JSON values, such as JSON lines; `document` is one value.
if [ "$(printf '%s' "$input" | jq 'has("text")')" = true ]; then
  document=$(printf '%s' "$input" | jq -r '.text')
else
  document=$(printf '%s' "$input" | jq -c '.document')
fi

# The space keeps a filter such as --version from being read as an option.
if ! results=$(printf '%s' "$document" | jq -c " $filter" 2>/dev/null); then
  error=$(printf '%s' "$document" | jq -c " $filter" 2>&1 >/dev/null | head -n 1)
  printf 'filter error: %s\n' "$error" >&2
  exit 1
fi
printf '%s' "$results" | jq -s -c '{count: length, results: .}'
