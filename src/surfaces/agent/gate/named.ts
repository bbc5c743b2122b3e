import { fold } from '#catalog/changes/fold.ts';
import type { GateState, Target } from './state.ts';
import { sameTarget } from './state.ts';
import { tokensOf, type Words } from './words.ts';

/**
 * Returns whether the user named or chose a target: by reference, by name, by its number in the last answer, or as
 * `it`.
 */

export function isMeant(target: Pick<Target, 'kind' | 'ref'>, words: Words, state: GateState): boolean {
  return isNamed(target, words, state) || isChosen(target, words, state);
}

function isNamed({ kind, ref }: Pick<Target, 'kind' | 'ref'>, words: Words, { known }: GateState): boolean {
  const id = fold(kind === 'listing' ? ref.slice(ref.indexOf('/') + 1) : ref);
  // The name of a rig may be any word.
  const isWord = kind === 'rig' && !/[/.@-]/.test(id);
  if (id.length >= 3 && !isWord && (standsIn(words.raw, fold(ref)) || (/[/.@-]/.test(id) && standsIn(words.raw, id))))
    return true;
  if ((kind === 'skill' || kind === 'rig') && saidAfterVerb(ref, words)) return true;
  const name = known.find((target) => sameTarget(target, { kind, ref }))?.name;
  if (name === undefined || name === '') return false;
  // A name that something else also has is ambiguous.
  const others = known.filter((target) => sameName(target.name, name) && !sameTarget(target, { kind, ref }));
  return others.length === 0 && saidAfterVerb(name, words);
}

/** Matches whole names only: no adjacent characters could extend the name. */
function standsIn(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text.slice(at + part.length, at + part.length + 2)];
    if (!/[\p{L}\p{N}/@_-]/u.test(before) && !/^(?:[\p{L}\p{N}/@_-]|\.[\p{L}\p{N}])/u.test(after)) return true;
  }
  return false;
}

const spaced = (name: string): string => tokensOf(fold(name)).join(' ');
const sameName = (one: string, other: string): boolean => spaced(one) === spaced(other);

const BEFORE =
  /(?:^|\s)(?:run|rerun|execute|start|launch|invoke|use|try|apply|perform|call|test|of|on|to|with|and|connection|server|skill|tool|listing|rig)\s(?:(?:the|my|this|that|skill|tool|server|listing|connection|capability|rig)\s){0,3}$/u;
const AFTER =
  /^(?:\s(?:with|on|for|using|over|and|to|at|from|in|now|please|skill|tool|server|listing|connection|rig|given|again|then|is|has)\b|\s?$)/u;

/** Named like a thing: after a verb or preposition, and not as part of a phrase. */
function saidAfterVerb(name: string, { spaced: sentences }: Words): boolean {
  const wanted = spaced(name);
  if (wanted === '') return false;
  return sentences.some((text) => {
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
      const [before, after] = [text.slice(0, at), text.slice(at + wanted.length)];
      if (/[\p{L}\p{N}]$/u.test(before) || /^[\p{L}\p{N}]/u.test(after)) continue;
      // Several words rarely occur together by chance.
      if (wanted.includes(' ') || (BEFORE.test(before) && AFTER.test(after))) return true;
    }
    return false;
  });
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

const isChosen = (target: Pick<Target, 'kind' | 'ref'>, words: Words, state: GateState): boolean =>
  [...state.chosen, ...chosenBy(words, state)].some((candidate) => sameTarget(candidate, target));

/** The targets that the newest message chooses from what the user saw. */
export function chosenBy({ open }: Pick<Words, 'open'>, { numbered, single }: GateState): Target[] {
  const latest = open.at(-1) ?? '';
  const places = placesIn(latest, numbered.length);
  const said = /\b(?:it|that one|this one|that|this)\b/.test(latest) ? [single] : [];
  return (places.length > 0 ? places.map((place) => numbered[place]) : said).filter(
    (target) => target !== null && target !== undefined,
  );
}

/** Numbers that choose rather than values: `the second`, `number 2`, `#2`, `run 2`, or just `2`. */
function placesIn(sentence: string, count: number): number[] {
  const words = [
    ...sentence.matchAll(/\bthe (first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last)\b/g),
  ];
  const digits = [
    ...sentence.matchAll(
      /(?:^\s*|\b(?:number|no\.?|option|run|use|start|try|take)\s+|#)(\d{1,2})(?=\s*(?:$|[.,!]|with\b|on\b|for\b|using\b))/g,
    ),
  ];
  return [
    ...words.map(([, word]) => (word === 'last' ? count - 1 : ORDINALS.indexOf(word as string))),
    ...digits.map(([, digit]) => Number(digit) - 1),
  ];
}

/**
 * The numbered targets of an answer. A line counts only for the reference at its beginning, so that no description can
 * steer it.
 */
export function numberedIn(message: string, known: readonly Target[]): (Target | null)[] {
  const numbered: (Target | null)[] = [];
  for (const line of message.split('\n').slice(0, 500)) {
    const [, digits, rest] = /^\s{0,6}(?:[-*#]\s*)?(?:\*\*)?(\d{1,2})[.)](?:\*\*)?\s+(.{1,400})/.exec(line) ?? [];
    const place = Number(digits) - 1;
    if (rest === undefined || place < 0 || numbered[place] !== undefined) continue;
    while (numbered.length < place) numbered.push(null);
    numbered[place] = beginningOf(fold(rest).replace(/^[\s*_`"“'#[(]+/u, ''), known);
  }
  return numbered;
}

function beginningOf(line: string, known: readonly Target[]): Target | null {
  const begins = (text: string): boolean =>
    text !== '' && line.startsWith(fold(text)) && !/^[\p{L}\p{N}/@_-]/u.test(line.slice(fold(text).length));
  const byRef = known.filter(
    (target) =>
      begins(target.ref) || (target.kind === 'listing' && begins(target.ref.slice(target.ref.indexOf('/') + 1))),
  );
  const found = byRef.length > 0 ? byRef : known.filter((target) => begins(target.name));
  const longest = found.toSorted((a, b) => b.ref.length - a.ref.length)[0];
  const alone = found.every((target) => byRef.length > 0 || sameTarget(target, found[0] as Target));
  return alone ? (longest ?? null) : null;
}
