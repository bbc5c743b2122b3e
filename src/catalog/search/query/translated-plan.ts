import { remembered } from '#core/text/text-cache.ts';
import { RANKING } from '../ranking.ts';
import { type Translation, translate } from '../text/glossary.ts';
import { expandTerm, expansionOf, groupOf } from './expansions.ts';
import type { QueryPlan } from './query-plan.ts';
import type { Expansion, TermGroup, Vocabulary } from './vocabulary.ts';

const MOST_GROUPS = 24;

/**
 * The plan of a text in another language, by the meanings of its words in English; null if none of its words is in the glossary. Other
 * words count less, unless many documents have them.
 */
export function translatedPlanOf(text: string, vocabulary: Vocabulary): QueryPlan | null {
  const { found, rest } = translate(text);
  const groups = found
    .map((translation) => ({ translation, group: groupFor(translation, vocabulary) }))
    .filter(({ group }) => group.expansions.length > 0);
  if (groups.length === 0) return null;
  const most = Math.max(...groups.map(({ group }) => group.idf));
  const others = [...new Set(rest)]
    .map((term) => wordGroup(term, vocabulary))
    .filter(({ expansions }) => expansions.length > 0)
    .map((group) => (isName(group) ? group : { ...group, idf: Math.min(group.idf, most * RANKING.untranslated) }));
  return {
    groups: [...groups.map(({ group }) => group), ...others].slice(0, MOST_GROUPS),
    pairs: [],
    corrected: [],
    translated: groups.map(({ translation: { from, meaning } }) => ({ from, to: meaning[0]?.join(' ') ?? '' })),
    unmatched: [],
    unmatchedWeight: 0,
  };
}

/** Whether many documents have the word, as they have names of products. */
const isName = ({ expansions: [first] }: TermGroup): boolean => (first?.count ?? 0) >= RANKING.least_name;

/** Each English phrase, the forms of one that is a single word, and the word itself, as documents in its language have it. */
function groupFor({ from, terms, meaning }: Translation, vocabulary: Vocabulary): TermGroup {
  const own = vocabulary.lookUp(terms);
  const expansions = meaning.flatMap((phrase, i) => {
    const weight = RANKING.translation * (i === 0 ? 1 : RANKING.other_meaning);
    const [word] = phrase;
    if (phrase.length > 1 || word === undefined) return expansionOf(vocabulary.lookUp(phrase), 'translation', weight);
    return wordGroup(word, vocabulary).expansions.map((expansion): Expansion => {
      return { ...expansion, kind: 'translation', weight: expansion.weight * weight };
    });
  });
  const best = new Map<string, Expansion>();
  for (const expansion of [expansionOf(own, 'exact', 1), ...expansions]) {
    const key = expansion.terms.join(' ');
    if (expansion.count > 0 && (best.get(key)?.weight ?? 0) < expansion.weight) best.set(key, expansion);
  }
  return groupOf(from, [...best.values()], vocabulary.count);
}

const wordGroup = (term: string, vocabulary: Vocabulary): TermGroup =>
  remembered(vocabulary.expanded, term, () => expandTerm(term, vocabulary));
