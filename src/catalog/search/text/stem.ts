const STEMMED = /^[a-z]{4,}$/;

/** Endings and their replacements, longer ones first. `ize` and `ise` become the same, as do `y` and `ie`. */
const ENDINGS = (
  'izations=iz isations=iz ization=iz isation=iz ations= ation= izing=iz ising=iz izers=iz isers=iz izer=iz iser=iz ' +
  'ized=iz ised=iz izes=iz ises=iz ize=iz ise=iz ments= ment= ings= ing= ions= ion= ers= ies=i ors= er= or= ed= es= s= e= y=i'
)
  .split(' ')
  .map((rule) => rule.split('=') as [ending: string, replacement: string]);

/** By their last letter. */
const ENDINGS_BY_LETTER = Map.groupBy(ENDINGS, ([ending]) => ending.at(-1) as string);

export const LONGEST_ENDING = Math.max(...ENDINGS.map(([ending]) => ending.length));
const LEAST = 4;

/** The common part of an English word's forms, roughly. Other terms are their own stem. */
export function stemOf(term: string): string {
  if (!STEMMED.test(term) || term.endsWith('ss')) return term;
  for (const [ending, replacement] of ENDINGS_BY_LETTER.get(term.at(-1) as string) ?? []) {
    const length = term.length - ending.length;
    const least = ending.length === 1 ? LEAST - 1 : LEAST;
    if (length + replacement.length >= least && term.endsWith(ending))
      return undouble(`${term.slice(0, length)}${replacement}`);
  }
  return term;
}

/** The common part of a word and its plural, of which `stemOf` makes two where the word is short: `note` and `notes`. */
export const singularStemOf = (term: string): string => stemOf(/[^s]s$/.test(term) ? term.slice(0, -1) : term);

/** `planning` is `plan`, but `calling` is `call`. */
function undouble(stem: string): string {
  const last = stem.at(-1) as string;
  const isDouble = stem.length > LEAST && last === stem.at(-2) && last !== 'l' && last !== 's';
  return isDouble ? stem.slice(0, -1) : stem;
}
