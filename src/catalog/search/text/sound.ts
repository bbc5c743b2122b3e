/**
 * Spellings of English sounds, longer ones first, and the sound: vowels in lower case as they are heard, `X` for sh, `C` for ch. What is
 * not listed sounds as it is written.
 */
const AT_START: Rules = rules('kn=n gn=n pn=n ps=s wr=r wh=w rh=r chr=kr chl=kl chem=kem x=s');
const ANYWHERE: Rules = rules(
  'tious=Xs cious=Xs tion=Xn sion=Xn cion=Xn shun=Xn cian=Xn tch=C sch=sk ' +
    'augh=o ough=o eigh=a igh=i ph=f gh= ck=k cc=k ch=C sh=X dg=j qu=kw th=t mb=m ' +
    'ai=a ay=a ei=a ey=i ee=e ea=e ie=e eo=e oa=o ow=o ou=u oo=u ew=u ue=u oy=o oi=o au=o aw=o x=ks',
);

type Rules = ReadonlyMap<string, string>;

function rules(text: string): Rules {
  return new Map(text.split(' ').map((rule) => rule.split('=') as [string, string]));
}

/** Single letters, and those before e, i and y. */
const HARD: Record<string, string> = { c: 'k', q: 'k', y: 'i', z: 's' };
const SOFT: Record<string, string> = { c: 's', g: 'j' };
const SOFTENING = 'eiy';

const LONGEST = 5;
const VOWELS = 'aeiou';
/** Any vowel after the first: how those are written is what people get wrong most. */
const SOME_VOWEL = '*';

/**
 * How a word sounds, roughly: words that are pronounced alike have the same sound. Empty for words that are not of Latin letters. Linear in the
 * length.
 */
export function soundOf(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return '';
  const silent = word.endsWith('e') && !VOWELS.includes(word.at(-2) as string) ? 1 : 0;
  let sound = '';
  let last = '';
  let hasVowel = false;
  for (let at = 0; at < word.length - silent; ) {
    const [spelled, heard] = soundAt(word, at);
    at += spelled.length;
    for (const one of heard) {
      const isVowel = VOWELS.includes(one);
      const next = isVowel && hasVowel ? SOME_VOWEL : one;
      hasVowel ||= isVowel;
      if (next !== last) sound += next;
      last = next;
    }
  }
  return sound;
}

function soundAt(word: string, at: number): [spelled: string, heard: string] {
  for (let length = Math.min(LONGEST, word.length - at); length > 0; length--) {
    const spelled = word.slice(at, at + length);
    const heard = (at === 0 ? AT_START.get(spelled) : undefined) ?? ANYWHERE.get(spelled);
    if (heard !== undefined) return [spelled, heard];
  }
  const letter = word[at] as string;
  const isSoft = SOFTENING.includes(word[at + 1] ?? ' ');
  return [letter, (isSoft ? SOFT[letter] : undefined) ?? HARD[letter] ?? letter];
}
