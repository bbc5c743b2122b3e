import { ownTurn } from '#core/threads/own-turn.ts';
import { isEnglish } from '../text/english-words.ts';
import { translate } from '../text/glossary.ts';
import { requestWords } from '../text/request-words.ts';
import { synonymsIn, toolSynonymsIn } from '../text/synonyms.ts';
import { vectorNumber } from '../text/term-vectors.ts';

/**
 * The tables of words that searches read from files. Each reads its file when it is first used, which together takes longer than a request
 * may hold the event loop. They take 15 MB, so they are loaded with the first search and not before.
 */
const OF_TOOLS = [() => isEnglish(''), () => toolSynonymsIn([]), () => translate(''), requestWords];
const OF_CAPABILITIES = [() => synonymsIn([]), () => vectorNumber('')];

let ofTools: Promise<void> | null = null;
let all: Promise<void> | null = null;

/** Loads the tables that a search of tools uses, each in a turn that it has for itself. */
export function loadToolTables(): Promise<void> {
  ofTools ??= inTurns(OF_TOOLS);
  return ofTools;
}

/** A search of capabilities also names their tools. */
export function loadTables(): Promise<void> {
  all ??= loadToolTables().then(() => inTurns(OF_CAPABILITIES));
  return all;
}

async function inTurns(tables: readonly (() => unknown)[]): Promise<void> {
  for (const load of tables) {
    await ownTurn();
    load();
  }
}
