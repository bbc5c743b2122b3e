import { ownTurn } from '#core/threads/own-turn.ts';
import { isEnglish } from './english-words.ts';
import { translate } from './glossary.ts';
import { requestWords } from './request-words.ts';
import { synonymsIn, toolSynonymsIn } from './synonyms.ts';
import { vectorNumber } from './term-vectors.ts';

/** Each reads a file of this folder with its first use. */
const USES: readonly (() => unknown)[] = [
  () => isEnglish(''),
  () => synonymsIn([]),
  () => toolSynonymsIn([]),
  () => translate(''),
  () => vectorNumber(''),
  requestWords,
];

let loading: Promise<void> | null = null;

/** Reads the files, each in its own turn of the event loop. A first search would read all of them in one, which takes 30 ms. */
export function preload(): Promise<void> {
  loading ??= readAll();
  return loading;
}

async function readAll(): Promise<void> {
  for (const use of USES) {
    await ownTurn();
    use();
  }
}
