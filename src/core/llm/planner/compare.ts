import { plain, quoted } from '#core/tools/words.ts';
import { searches } from './find.ts';
import { readGiven } from './given-input.ts';
import type { Ground, Next } from './ground.ts';
import { listOf, objectOf, stringOf } from './history.ts';
import { detailCall, detailFor } from './inspect.ts';
import type { Intent } from './intent.ts';
import { isSearch, lastOptions, namedOption, type Option, optionsOf, ordinalOf } from './options.ts';
import { runIt } from './run.ts';
import { optionLines } from './words.ts';

/** `compare … and …`: two capabilities fact by fact. Of two JSON documents the differences are found by a run. */

export function compareTwo(intent: Extract<Intent, { want: 'compare' }>, ground: Ground): Next {
  const { one, other } = intent;
  const documents = readGiven(`${one} ${other}`).documents;
  if (/^[[{]/.test(one) && documents.length === 2)
    return runIt(
      { want: 'run', what: 'json-diff', given: documents.map((it) => JSON.stringify(it)).join(' ') },
      ground,
    );
  const pending = [one, other].flatMap((what) => lookupOf(what, ground));
  if (pending.length > 0) return { call: pending };
  const found = optionsOf(ground.done);
  const both = [one, other].map((what) => optionFor(what, ground));
  const unknown = [one, other].filter((_, at) => both[at] === null);
  if (unknown.length > 0) {
    const near = found.length === 0 ? '' : `\nThese are near:\n${optionLines(found)}`;
    return { say: `I know no capability named ${unknown.map((it) => quoted(it, 100)).join(' and ')}.${near}` };
  }
  const options = both as Option[];
  const details = options.filter((it) => detailFor(it, ground) === undefined).map(detailCall);
  return details.length > 0 ? { call: details } : { say: table(options, ground) };
}

const optionFor = (what: string, { done, past }: Ground): Option | null => {
  const shown = lastOptions(past);
  const place = ordinalOf(what);
  if (place !== null) return shown.at(place) ?? null;
  return namedOption(optionsOf(done), what) ?? namedOption(shown, what);
};

const lookupOf = (what: string, ground: Ground) => {
  if (optionFor(what, ground) !== null || ordinalOf(what) !== null) return [];
  const query = what.slice(0, 200);
  const asked = ground.done.some((it) => isSearch(it.name) && it.input.query === query);
  return asked ? [] : searches(ground, what);
};

function table(options: readonly Option[], ground: Ground): string {
  const data = options.map((it) => objectOf(detailFor(it, ground)?.data));
  const row = (title: string, of: (option: Option, at: number) => string) =>
    `| ${title} | ${options.map((it, at) => of(it, at).replaceAll('|', '/')).join(' | ')} |`;
  const said = (at: number, name: string) => plain(stringOf(data[at]?.[name]), 120) || '-';
  const runs = (it: Option, at: number) =>
    it.kind === 'skill' ? 'yes' : stringOf(objectOf(data[at]?.runnable).reason) || 'not known';
  return [
    row('', (it) => `\`${plain(it.ref, 120)}\``),
    `|${' --- |'.repeat(options.length + 1)}`,
    row('kind', (it) => (it.kind === 'skill' ? 'skill of this service' : it.listing_type)),
    row('class', (it) => it.execution_class),
    row('version', (_, at) => said(at, 'version')),
    row('licence', (_, at) => said(at, 'license')),
    row('runs here', runs),
    row('tools', (_, at) => `${listOf(data[at]?.tools).length || '-'}`),
    row('about', (it) => quoted(it.description, 160)),
  ].join('\n');
}
