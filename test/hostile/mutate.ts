import type { HostileScript } from './hostile-scripts.ts';
import type { Attack } from './stand.ts';

/** Endless variations of the attacks: the same random numbers give the same ones. */

type Random = (below: number) => number;

/** Mulberry32, by its published constants. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const NUMBERS = [
  '0',
  '-1',
  '255',
  '65536',
  '2147483647',
  '4294967296',
  '9007199254740993',
  '1e308',
  '99999999999999999999',
];
const WORDS = ['__proto__', '/dev/fd/3', '/proc/self/fd/3', '..', '@FILE@', '@DIR@/new', '\\0', '\\u202e', '*', ''];
const LONGEST_MS = 8_000;

const pick = <T>(random: Random, from: readonly T[]): T => from[random(from.length)] as T;

function inBash(source: string, random: Random): string {
  const quoted = source.replaceAll("'", "'\\''");
  return pick(random, [
    `( ${source}\n)`,
    `f() { ${source}\n}; f; f`,
    `eval '${quoted}'`,
    `bash -c '${quoted}' &\n${source}`,
    `{ ${source}\n} | while read -r line; do echo "$line"; done`,
    `x=$(${source}\n); echo "$x"`,
    `set -x; ${source}`,
    `exec 3>&1 >/workspace/output/all; ${source}`,
  ]);
}

/** One to four changes to one script, or two scripts of a language after each other. */
export function mutate(scripts: HostileScript[], random: Random): Attack & { name: string } {
  const { language, source, timeout_ms, ...first } = pick(random, scripts);
  let text = source;
  let name = first.name;
  for (let left = 1 + random(4); left > 0; left--) {
    const lines = text.split('\n');
    const at = random(lines.length);
    switch (random(language === 'bash' ? 7 : 6)) {
      case 0: {
        const other = pick(
          random,
          scripts.filter((script) => script.language === language),
        );
        text = random(2) === 0 ? `${text}\n${other.source}` : `${other.source}\n${text}`;
        name += ` + ${other.name}`;
        break;
      }
      case 1:
        text = lines.toSpliced(at, 1 + random(3)).join('\n');
        break;
      case 2:
        text = lines.toSpliced(at, 0, lines[random(lines.length)] as string).join('\n');
        break;
      case 3:
        text = text.replace(/\d+/g, (all) => (random(4) === 0 ? pick(random, NUMBERS) : all));
        break;
      case 4:
        text = text.replace(/'[^'\n]*'/g, (all) => (random(6) === 0 ? `'${pick(random, WORDS)}'` : all));
        break;
      // On a separate line, because the text before it may end the script.
      case 5:
        text =
          language === 'bash' && !/[\\{]$|^(for|while|do|done)\b/.test(lines[at] ?? '') ? (lines[at] as string) : text;
        break;
      default:
        text = inBash(text, random);
    }
  }
  return { language, source: text, timeout_ms: Math.min(timeout_ms, LONGEST_MS), name };
}
