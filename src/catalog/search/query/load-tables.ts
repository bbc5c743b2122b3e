import { ownTurn } from '#core/threads/own-turn.ts';
import { isEnglish } from '../text/english-words.ts';
import { translate } from '../text/glossary.ts';
import { toolSynonymsIn } from '../text/synonyms.ts';

/** Each reads its file when it is first used, which together takes longer than a request may hold the event loop. */
const TABLES = [() => isEnglish(''), () => toolSynonymsIn([]), () => translate('')];

/** Loads the tables of words that a search of tools uses, each in a turn that it has for itself. */
export async function loadToolTables(): Promise<void> {
  for (const load of TABLES) {
    await ownTurn();
    load();
  }
}
