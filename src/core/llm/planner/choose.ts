import { searches } from './find.ts';
import type { Call, Ground, Next } from './ground.ts';
import { isPronoun, isSearch, lastOptions, namedOption, type Option, optionsOf, ordinalOf } from './options.ts';
import { optionLines } from './words.ts';

/** Which capability is meant by the user's words: one, or what has to be asked or looked up to know. */

export type Chosen = { one: Option } | { next: Next };

export function choose(what: string, ground: Ground, verb: string): Chosen {
  const shown = lastOptions(ground.past);
  const place = ordinalOf(what);
  if (place !== null || isPronoun(what)) return byPlace(shown, place, verb);
  const found = ground.done.filter((it) => isSearch(it.name));
  if (found.length === 0) {
    const known = namedOption(shown, what);
    return known === null ? { next: { call: ownFirst(ground, what) } } : { one: known };
  }
  const options = optionsOf(found);
  const one = namedOption(options, what);
  if (one !== null) return { one };
  // A name of our own is looked for before strangers are asked.
  const more = searches(ground, what).filter(({ name }) => !found.some((it) => it.name === name));
  if (more.length > 0) return { next: { call: more } };
  if (options.length === 0)
    return ask(`I know no capability named “${what.slice(0, 100)}”. Say “find …” to look for one.`);
  return ask(`Which one shall I ${verb}?\n${optionLines(options)}\nSay “${verb} the first one”, or its name.`);
}

function ownFirst(ground: Ground, what: string): Call[] {
  const all = searches(ground, what);
  const own = all.filter(({ name }) => name === 'skill_search');
  return own.length > 0 ? own : all;
}

function byPlace(shown: readonly Option[], place: number | null, verb: string): Chosen {
  if (shown.length === 0) return ask(`I do not know which one you mean. Say “find …” first, or “${verb} NAME”.`);
  if (place === null) {
    const [only] = shown;
    if (shown.length === 1 && only !== undefined) return { one: only };
    return ask(`Which one of these?\n${optionLines(shown)}\nSay “${verb} the first one”, or its name.`);
  }
  const one = shown.at(place);
  return one === undefined ? ask(`There are ${shown.length}:\n${optionLines(shown)}\nWhich one?`) : { one };
}

const ask = (say: string): Chosen => ({ next: { say } });
