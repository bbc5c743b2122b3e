import { remembered } from '#core/text/text-cache.ts';
import { RANKING } from '../ranking.ts';
import { LONGEST_ENDING, stemOf } from '../text/stem.ts';
import { synonymsIn } from '../text/synonyms.ts';
import { isDense, joined, tokens } from '../text/tokenize.ts';
import { typosBeside, typosOf } from './spelling.ts';
import { type Group, type Kind, type KnownTerm, type Stand, standOf, type Vocabulary } from './vocabulary.ts';

/** What a query looks for: its terms, and for each the terms that can stand for it. */

export interface Plan {
  groups: Group[];
  /** Neighbours of the query as one word: they add to what has them, and nobody lacks them. */
  pairs: Group[];
  corrected: { from: string; to: string }[];
  unmatched: string[];
  /** What the unmatched would weigh, as rare as anything can be. */
  lacking: number;
}

/** Say nothing of what is looked for; left out where there is something else. */
const FILLERS = new Set(
  (
    'a an and are as be by can could do does for from get have help how i if in into is it lets like me my need of on or ' +
    'over please should so some someone something that the their them then this to up use using via want we what when ' +
    'where which who will with would you your able before after across find give look make tool tools capability'
  ).split(' '),
);
const MOST_TERMS = 24;

export function planOf(text: string, vocabulary: Vocabulary): Plan {
  const asked = tokens(text);
  const all = [...new Set(asked)];
  const telling = all.filter((token) => !FILLERS.has(token));
  const terms = (telling.length > 0 ? telling : all).slice(0, MOST_TERMS);
  const known = terms.map((term) => remembered(vocabulary.known, term, () => knownTerm(term, vocabulary)));
  const others = othersBeside(asked, known, vocabulary);
  // Who asks for another word for the same has written it well.
  const has_synonym = others.map((more) => more.some(({ kind }) => kind === 'synonym'));
  const own = known.map(({ typos }, i) => (has_synonym[i] ? [] : typos));
  const meant = own.flatMap(([best]) => best ?? []);
  const slips = own.map((typos, i) =>
    typos.length > 0 || has_synonym[i] ? typos : typosBeside(known[i] as KnownTerm, meant, vocabulary),
  );
  slips.forEach((slip, i) => {
    others[i]?.push(...slip);
  });
  const groups = known.map((knownTerm, i) => {
    const more = others[i] as Stand[];
    return more.length === 0 ? knownTerm : groupOf(knownTerm.term, [...knownTerm.stands, ...more], vocabulary.count);
  });
  const corrected = slips.flatMap(([best], i) =>
    best === undefined ? [] : { from: terms[i] as string, to: best.terms[0] as string },
  );
  const unmatched = groups.filter(({ stands }) => stands.length === 0).map(({ term }) => term);
  const lacking = unmatched.length * rarityOf(0, vocabulary.count);
  return { groups, pairs: pairsOf(terms, vocabulary), corrected, unmatched, lacking };
}

function groupOf(term: string, stands: Stand[], count: number): Group {
  const most = stands.reduce((sum, stand) => Math.max(sum, stand.count * stand.weight), 0);
  return {
    term,
    stands: stands.sort((a, b) => b.weight - a.weight),
    rarity: stands.length === 0 ? 0 : rarityOf(most, count),
  };
}

/** BM25's inverse document frequency, never negative. */
const rarityOf = (of: number, count: number): number => Math.log(1 + (count - of + 0.5) / (of + 0.5));

function knownTerm(term: string, vocabulary: Vocabulary): KnownTerm {
  const stands = standsFor(term, vocabulary);
  return { ...groupOf(term, stands, vocabulary.count), typos: typosOf(term, stands, vocabulary) };
}

/** The term itself, its other forms, and what begins with it. */
function standsFor(term: string, vocabulary: Vocabulary): Stand[] {
  const exact = vocabulary.entryOf([term]);
  const stands = exact.count > 0 ? [standOf(exact, 'exact', 1)] : [];
  if (isDense(term) || term.length < RANKING.least_prefix) return stands;
  const stem = stemOf(term);
  const start = stem.length < term.length ? sharedStart(stem, term) : term;
  const [forms, longer]: [Begun[], Begun[]] = [[], []];
  for (const { term: other, count } of vocabulary.startingWith(start.length < RANKING.least_prefix ? term : start)) {
    if (other === term || count === 0) continue;
    const is_form = stem.length > 2 && other.length <= stem.length + LONGEST_ENDING && stemOf(other) === stem;
    if (is_form) forms.push({ other, count, weight: RANKING.stem });
    else if (other.startsWith(term))
      longer.push({ other, count, weight: (RANKING.prefix * term.length) / other.length });
  }
  const standsOf = (begun: Begun[], kind: Kind) =>
    mostUsed(begun).map(({ other, weight }) => standOf(vocabulary.entryOf([other]), kind, weight));
  return [...stands, ...standsOf(forms, 'form'), ...standsOf(longer, 'prefix')];
}

interface Begun {
  other: string;
  count: number;
  weight: number;
}

/** `y` and `i` at the end of a stem are one. */
function sharedStart(stem: string, term: string): string {
  let length = 0;
  while (length < stem.length && stem[length] === term[length]) length++;
  return stem.slice(0, length);
}

const mostUsed = (begun: Begun[]): Begun[] =>
  begun
    .sort((a, b) => b.count * b.weight - a.count * a.weight || (a.other < b.other ? -1 : 1))
    .slice(0, RANKING.most_prefixed);

/** By term what stands for it because of what is asked for beside it. */
function othersBeside(asked: readonly string[], known: readonly KnownTerm[], vocabulary: Vocabulary): Stand[][] {
  const others: Stand[][] = known.map(() => []);
  addSynonyms(asked, known, others, vocabulary);
  for (let i = 1; i < known.length; i++) {
    const [pair] = joined([(known[i - 1] as Group).term, (known[i] as Group).term]);
    const entry = pair === undefined ? null : vocabulary.entryOf([pair]);
    if (entry === null || entry.count === 0) continue;
    for (const at of [i - 1, i]) others[at]?.push(standOf(entry, 'joined', RANKING.joined));
  }
  return others;
}

/** A phrase's other words stand for each of its terms. */
function addSynonyms(
  asked: readonly string[],
  known: readonly KnownTerm[],
  others: readonly Stand[][],
  vocabulary: Vocabulary,
): void {
  for (const { from, to, others: phrases } of synonymsIn(asked))
    for (const phrase of phrases) {
      const entry = vocabulary.entryOf(phrase);
      if (entry.count === 0) continue;
      for (const term of asked.slice(from, to)) {
        const at = known.findIndex((knownTerm) => knownTerm.term === term);
        const is_known = [known[at]?.stands, others[at]].some(
          (stands) => stands === undefined || stands.some(isOf(phrase)),
        );
        if (!is_known) others[at]?.push(standOf(entry, 'synonym', RANKING.synonym));
      }
    }
}

const isOf =
  (phrase: readonly string[]) =>
  ({ terms }: Stand): boolean =>
    terms.length === phrase.length && terms.every((term, i) => term === phrase[i]);

function pairsOf(terms: readonly string[], vocabulary: Vocabulary): Group[] {
  return joined(terms)
    .map((pair) => ({ pair, entry: vocabulary.entryOf([pair]) }))
    .filter(({ entry }) => entry.count > 0)
    .map(({ pair, entry }) => groupOf(pair, [standOf(entry, 'joined', 1)], vocabulary.count));
}
