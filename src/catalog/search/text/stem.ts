/** What the forms of an English word have in common. */

const STEMMED = /^[a-z]{4,}$/;

/** Endings, and what stands in their place: `ize` and `ise` are one, as are `y` and `ie`. Longer ones first. */
const ENDINGS = (
  'izations=iz isations=iz ization=iz isation=iz ations= ation= izing=iz ising=iz izers=iz isers=iz izer=iz iser=iz ' +
  'ized=iz ised=iz izes=iz ises=iz ize=iz ise=iz ments= ment= ings= ing= ions= ion= ers= ies=i ors= er= or= ed= es= s= e= y=i'
)
  .split(' ')
  .map((word) => word.split('=') as [ending: string, instead: string]);

export const LONGEST_ENDING = Math.max(...ENDINGS.map(([ending]) => ending.length));
const LEAST = 4;

/** Roughly; other terms than English words are their own. */
export function stemOf(term: string): string {
  if (!STEMMED.test(term) || term.endsWith('ss')) return term;
  for (const [ending, instead] of ENDINGS) {
    const length = term.length - ending.length;
    const least = ending.length === 1 ? LEAST - 1 : LEAST;
    if (length + instead.length >= least && term.endsWith(ending)) return single(`${term.slice(0, length)}${instead}`);
  }
  return term;
}

/** `planning` is `plan`, but `calling` is `call`. */
const single = (stem: string): string => (stem.length > LEAST && /([^ls])\1$/.test(stem) ? stem.slice(0, -1) : stem);
