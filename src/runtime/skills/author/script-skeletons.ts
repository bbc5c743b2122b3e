import type { EntryLanguage } from '../skill.ts';
import type { SkillInput } from './skill-request.ts';

/**
 * Scripts that run as they are: they check their input by name and type and answer it back. Into them go only the
 * skill's name and the names and types of inputs, whose forms hold nothing that a language could take for code.
 */

export const ENTRY_PATHS: Record<EntryLanguage, string> = {
  python: 'scripts/run.py',
  javascript: 'scripts/run.mjs',
  bash: 'scripts/run.sh',
};

export const skeletonOf = (language: EntryLanguage, name: string, inputs: readonly SkillInput[]): string =>
  ({ python, javascript, bash })[language](name, inputs);

const python = (
  name: string,
  inputs: readonly SkillInput[],
): string => `"""${name}: JSON on standard input, JSON on standard output, exit code 2 for input that does not fit."""

import json
import sys

# The members of the input: type, and whether it is required.
MEMBERS = {
${inputs.map((input) => `    "${input.name}": ("${input.type}", ${input.required ? 'True' : 'False'}),\n`).join('')}}
KINDS = {"string": str, "number": (int, float), "integer": int, "boolean": bool, "array": list, "object": dict}


def refuse(message):
    print(f"input error: {message}", file=sys.stderr)
    sys.exit(2)


def fits(value, kind):
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, KINDS[kind])


def read_input():
    try:
        data = json.load(sys.stdin)
    except (ValueError, RecursionError) as error:
        refuse(f"standard input is not JSON: {error}")
    if not isinstance(data, dict):
        refuse("the input must be an object")
    for name in data:
        if name not in MEMBERS:
            refuse(f"{name} is not a known member; use {', '.join(MEMBERS)}")
    for name, (kind, required) in MEMBERS.items():
        if name not in data:
            if required:
                refuse(f"{name} is missing")
        elif not fits(data[name], kind):
            refuse(f"{name} must be of type {kind}")
    return data


def answer(data):
    # The work goes here. What is returned is the answer.
    return {"ok": True, "input": data}


if __name__ == "__main__":
    print(json.dumps(answer(read_input()), ensure_ascii=False))
`;

const javascript = (
  name: string,
  inputs: readonly SkillInput[],
): string => `// ${name}: JSON on standard input or in /workspace/input/input.json, JSON on standard output, exit code 2 for input that
// does not fit.
import { readFileSync } from 'node:fs';

// The members of the input: type, and whether it is required.
const MEMBERS = [
${inputs.map((input) => `  ['${input.name}', '${input.type}', ${input.required}],\n`).join('')}];
const NAMES = MEMBERS.map(([name]) => name);

function refuse(message) {
  console.error(\`input error: \${message}\`);
  process.exit(2);
}

function readText() {
  // Some engines give scripts no standard input; the file holds the same bytes.
  for (const source of [0, '/workspace/input/input.json']) {
    try {
      const text = readFileSync(source, 'utf8');
      if (text.trim() !== '') return text;
    } catch {}
  }
  return refuse('no input; pass JSON on standard input');
}

function kindOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const fits = (value, kind) => (kind === 'integer' ? Number.isInteger(value) : kindOf(value) === kind);

function readInput() {
  let input;
  try {
    input = JSON.parse(readText());
  } catch (error) {
    refuse(\`the input is not JSON: \${error.message}\`);
  }
  if (kindOf(input) !== 'object') refuse('the input must be an object');
  const unknown = Object.keys(input).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) refuse(\`\${unknown} is not a known member; use \${NAMES.join(', ')}\`);
  for (const [name, kind, required] of MEMBERS) {
    if (!Object.keys(input).includes(name)) {
      if (required) refuse(\`\${name} is missing\`);
    } else if (!fits(input[name], kind)) refuse(\`\${name} must be of type \${kind}\`);
  }
  return input;
}

function answer(input) {
  // Add your code here. The return value is the output.
  return { ok: true, input };
}

console.log(JSON.stringify(answer(readInput())));
`;

const bash = (name: string, inputs: readonly SkillInput[]): string => `#!/usr/bin/env bash
# ${name}: JSON on standard input, JSON on standard output, exit code 2 for input that does not fit. Needs jq.
set -u

input=$(cat)
if ! printf '%s' "$input" | jq empty >/dev/null 2>&1; then
  echo 'input error: standard input is not JSON' >&2
  exit 2
fi

# The members of the input: type, and whether it is required.
members='${JSON.stringify(Object.fromEntries(inputs.map((input) => [input.name, [input.type, input.required]])))}'

wrong=$(printf '%s' "$input" | jq -r "$members"' as $members
  | if type != "object" then "the input must be an object"
    else . as $input
    | (keys - ($members | keys)) as $unknown
    | ([$members | to_entries[] | select(.value[1]) | .key] - keys) as $missing
    | [$members | to_entries[] | select(.key as $key | $input | has($key))
        | .key as $key | .value[0] as $kind | $input[$key]
        | select(if $kind == "integer" then (type != "number" or . != floor) else type != $kind end)
        | $key + " must be of type " + $kind] as $unfit
    | if $unknown != [] then $unknown[0] + " is not a known member; use " + ($members | keys | join(", "))
      elif $missing != [] then $missing[0] + " is missing"
      elif $unfit != [] then $unfit[0]
      else "" end
    end')
if [ -n "$wrong" ]; then
  printf 'input error: %s\\n' "$wrong" >&2
  exit 2
fi

# The work goes here. What jq prints is the answer.
printf '%s' "$input" | jq -c '{ok: true, input: .}'
`;
