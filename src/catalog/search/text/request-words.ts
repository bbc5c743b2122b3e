import { readFileSync } from 'node:fs';
import { STOP_WORDS } from './stop-words.ts';

/** Words that requests for tools have in common, from request-words.txt. */
interface RequestWords {
  /** Ignored if a request has others. Verbs are not among them: they tell tools apart. */
  stop: ReadonlySet<string>;
  /** Those that count little. */
  weak: ReadonlySet<string>;
}

let known: RequestWords | undefined;

export function requestWords(): RequestWords {
  known ??= readWords();
  return known;
}

function readWords(): RequestWords {
  const text = readFileSync(new URL('./request-words.txt', import.meta.url), 'utf8').replace(/^#.*\n/gm, '');
  const [stop = [], weak = []] = text.split('\n\n').map((paragraph) => paragraph.trim().split(/\s+/));
  return { stop: new Set([...STOP_WORDS, ...stop]), weak: new Set(weak) };
}
