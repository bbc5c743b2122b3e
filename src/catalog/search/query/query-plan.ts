import { remembered } from '#core/text/text-cache.ts';
import { ownTurn } from '#core/threads/own-turn.ts';
import { joinNeighbours, tokenize } from '../text/tokenize.ts';
import { contextExpansions, expandTerm, expansionOf, groupOf, idfOf } from './expansions.ts';
import { correctBeside } from './spelling.ts';
import type { ExpandedTerm, Expansion, TermGroup, Vocabulary } from './vocabulary.ts';

/** What a query looks for. */
export interface QueryPlan {
  groups: TermGroup[];
  /** Neighbouring terms of the query written as one. They add to a score and are never required. */
  pairs: TermGroup[];
  corrected: { from: string; to: string }[];
  /** Words of another language, with what was searched for instead. */
  translated: { from: string; to: string }[];
  unmatched: string[];
  /** The weight that the unmatched terms would have, if they were as rare as possible. */
  unmatchedWeight: number;
}

const MOST_TERMS = 24;

/** The plan of a text as it is typed: without corrections. */
export function typedPlanOf(text: string, vocabulary: Vocabulary): QueryPlan {
  const tokens = tokenize(text);
  const typed = expandedTerms(tokens, vocabulary);
  return planFor(typed, contextExpansions(tokens, typed, vocabulary), vocabulary);
}

export function planOf(text: string, vocabulary: Vocabulary): QueryPlan {
  const tokens = joinStopPhrases(tokenize(text), vocabulary.rules);
  const typed = expandedTerms(tokens, vocabulary);
  const further = contextExpansions(tokens, typed, vocabulary);
  const corrections = correctionsOf(typed, further, vocabulary);
  const meant = new Map(
    typed.flatMap(({ term }, i) => {
      const to = corrections[i]?.[0]?.terms[0];
      return to === undefined ? [] : [[term, { to, from: typed[i] as ExpandedTerm, others: corrections[i] ?? [] }]];
    }),
  );
  if (meant.size === 0) return planFor(typed, further, vocabulary);
  // Planned again as if it had been typed correctly, so that a corrected word has synonyms and neighbours, too.
  const corrected = tokens.map((token) => meant.get(token)?.to ?? token);
  const terms = expandedTerms(corrected, vocabulary);
  const more = contextExpansions(corrected, terms, vocabulary);
  for (const { from, to, others } of meant.values()) {
    const at = terms.findIndex(({ term }) => term === to);
    if (at === -1) continue;
    // What was typed still counts, and so does what else may have been meant.
    const known = new Set([...(terms[at]?.expansions ?? []), ...(more[at] ?? [])].map(keyOf));
    more[at]?.push(...[...from.expansions, ...others.slice(1)].filter((expansion) => !known.has(keyOf(expansion))));
  }
  const plan = planFor(terms, more, vocabulary);
  return { ...plan, corrected: [...meant.values()].map(({ from, to }) => ({ from: from.term, to })) };
}

/** Phrases of ignored words that have synonyms are words: `to do` is `todo`. */
function joinStopPhrases(tokens: string[], { inflects, stop, synonymsIn }: Vocabulary['rules']): string[] {
  if (!inflects) return tokens;
  const phrase = synonymsIn(tokens).find(
    ({ from, to }) => to - from > 1 && tokens.slice(from, to).every((token) => stop.has(token)),
  );
  if (phrase === undefined) return tokens;
  const { from, to } = phrase;
  return [...tokens.slice(0, from), tokens.slice(from, to).join(''), ...tokens.slice(to)];
}

const keyOf = ({ terms }: Expansion): string => terms.join(' ');

/** The telling terms of a text, each once. */
function tellingTerms(tokens: readonly string[], { rules }: Vocabulary): string[] {
  const all = [...new Set(tokens)];
  const telling = all.filter((term) => !rules.stop.has(term));
  return (telling.length > 0 ? telling : all).slice(0, MOST_TERMS);
}

const expandedTerms = (tokens: readonly string[], vocabulary: Vocabulary): ExpandedTerm[] =>
  tellingTerms(tokens, vocabulary).map((term) => expandedTerm(term, vocabulary));

const expandedTerm = (term: string, vocabulary: Vocabulary): ExpandedTerm =>
  remembered(vocabulary.expanded, term, () => expandTerm(term, vocabulary));

/**
 * Expands the terms of a text before it is planned, each in its own turn of the event loop. One that is misspelled is compared with all
 * terms of about its length.
 */
export async function expandInTurns(text: string, vocabulary: Vocabulary): Promise<void> {
  for (const term of tellingTerms(tokenize(text), vocabulary)) {
    if (vocabulary.expanded.get(term) !== undefined) continue;
    expandedTerm(term, vocabulary);
    await ownTurn();
  }
}

/** `further`: for each term, expansions beside its own. */
function planFor(terms: readonly ExpandedTerm[], further: readonly Expansion[][], vocabulary: Vocabulary): QueryPlan {
  const groups = terms.map((term, i) => {
    const others = further[i] as Expansion[];
    const group = others.length === 0 ? term : groupOf(term.term, [...term.expansions, ...others], vocabulary.count);
    const weight = vocabulary.rules.weightOf(term.term);
    return weight === 1 ? group : { ...group, idf: group.idf * weight };
  });
  const unmatched = groups.filter(({ expansions }) => expansions.length === 0).map(({ term }) => term);
  return {
    groups,
    pairs: pairsOf(
      terms.map(({ term }) => term),
      vocabulary,
    ),
    corrected: [],
    translated: [],
    unmatched,
    unmatchedWeight: unmatched.length * idfOf(0, vocabulary.count),
  };
}

/** For each term. A term with a synonym is spelled correctly. */
function correctionsOf(
  expanded: readonly ExpandedTerm[],
  further: readonly Expansion[][],
  vocabulary: Vocabulary,
): (readonly Expansion[])[] {
  const hasSynonym = further.map((expansions) => expansions.some(({ kind }) => kind === 'synonym'));
  const own = expanded.map(({ corrections }, i) => (hasSynonym[i] ? [] : corrections));
  const meant = own.flatMap(([best]) => best ?? []);
  return own.map((corrections, i) =>
    corrections.length > 0 || hasSynonym[i]
      ? corrections
      : correctBeside(expanded[i] as ExpandedTerm, meant, vocabulary),
  );
}

function pairsOf(terms: readonly string[], vocabulary: Vocabulary): TermGroup[] {
  return joinNeighbours(terms)
    .map((pair) => ({ pair, entry: vocabulary.lookUp([pair]) }))
    .filter(({ entry }) => entry.count > 0)
    .map(({ pair, entry }) => groupOf(pair, [expansionOf(entry, 'joined', 1)], vocabulary.count));
}
