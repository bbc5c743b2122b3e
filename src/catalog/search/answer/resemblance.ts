import { plain, quoted } from '#core/tools/words.ts';
import { readMark } from '../index/capability-segment.ts';
import type { Resemblance } from '../index/lookalikes.ts';
import { rowOfHit } from '../query/list-view.ts';
import { hitOf, type MarketplaceView, partOfHit } from '../query/marketplace-view.ts';

/** What a name looks like, as answers show it. */
interface ShownResemblance extends Resemblance {
  /** As a sentence, with the untrusted names in quotes. */
  detail: string;
}

/** Null if its name looks like no much used one of another author. */
export function resemblanceOfHit(view: MarketplaceView, hit: number): ShownResemblance | null {
  const mark = readMark(partOfHit(view, hit).segment, rowOfHit(hit));
  return mark === null ? null : { ...mark, detail: wordsOf(mark) };
}

/** The same for a capability by its id; null without an index, too. */
export function resemblanceOfId(view: MarketplaceView | null, id: string): ShownResemblance | null {
  const hit = view === null ? null : hitOf(view, id);
  return view === null || hit === null ? null : resemblanceOfHit(view, hit);
}

const WORDS: Record<Resemblance['how'], string> = {
  confusable: 'Its name has characters that look like those of',
  one_edit: 'Its name differs in one character from',
  copied: 'Its name and its text are those of',
  namespace: 'Its name begins with the account of',
};

function wordsOf({ name, author, how }: Resemblance): string {
  const by = plain(author, 60);
  return `${WORDS[how]} ${quoted(name, 80)}${by === '' ? '' : ` by ${quoted(by, 60)}`}, a much used listing of another author.`;
}
