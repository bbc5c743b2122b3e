import { remembered } from '#core/text/text-cache.ts';
import { SENTENCE_STOP_WORDS } from '../text/stop-words.ts';
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
  unmatched: string[];
  /** The weight that the unmatched terms would have, if they were as rare as possible. */
  unmatchedWeight: number;
}

const MOST_TERMS = 24;

export function planOf(text: string, vocabulary: Vocabulary): QueryPlan {
  const tokens = tokenize(text);
  const all = [...new Set(tokens)];
  const telling = all.filter((term) => !SENTENCE_STOP_WORDS.has(term));
  const terms = (telling.length > 0 ? telling : all).slice(0, MOST_TERMS);
  const expanded = terms.map((term) => remembered(vocabulary.expanded, term, () => expandTerm(term, vocabulary)));
  const further = contextExpansions(tokens, expanded, vocabulary);
  const corrections = correctionsOf(expanded, further, vocabulary);
  const groups = expanded.map((term, i) => {
    const others = [...(further[i] as Expansion[]), ...(corrections[i] as readonly Expansion[])];
    return others.length === 0 ? term : groupOf(term.term, [...term.expansions, ...others], vocabulary.count);
  });
  const corrected = corrections.flatMap(([best], i) =>
    best === undefined ? [] : { from: terms[i] as string, to: best.terms[0] as string },
  );
  const unmatched = groups.filter(({ expansions }) => expansions.length === 0).map(({ term }) => term);
  return {
    groups,
    pairs: pairsOf(terms, vocabulary),
    corrected,
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
