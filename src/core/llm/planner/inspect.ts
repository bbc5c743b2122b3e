import { plain, quoted } from '#core/tools/words.ts';
import { choose } from './choose.ts';
import type { Call, Ground, Next } from './ground.ts';
import { type Json, listOf, objectOf, type PastCall, stringOf } from './history.ts';
import type { Option } from './options.ts';
import { failureText, shownJson } from './words.ts';

/** `what can … do`: a skill of ours or a listing, with what it wants and how it is run. */

export function inspect(what: string, ground: Ground): Next {
  const chosen = choose(what, ground, 'show');
  if ('next' in chosen) return chosen.next;
  const looked = detailFor(chosen.one, ground);
  return looked === undefined ? { call: [detailCall(chosen.one)] } : { say: describe(chosen.one, looked) };
}

export const detailCall = ({ kind, ref, provider, external_id }: Option): Call =>
  kind === 'skill'
    ? { name: 'registry_get_skill', input: { name: ref } }
    : { name: 'registry_get_listing', input: { provider, external_id } };

/** The answer to that call, where it was made in this turn. */
export const detailFor = (option: Option, { done }: Pick<Ground, 'done'>): PastCall | undefined => {
  const { name, input } = detailCall(option);
  return done.find((it) => it.name === name && Object.entries(input).every(([key, value]) => it.input[key] === value));
};

export function describe(option: Option, looked: PastCall): string {
  if (looked.failed || looked.data === null) return failureText(looked);
  return option.kind === 'skill' ? aboutSkill(option, looked.data) : aboutListing(option, looked.data);
}

function aboutSkill({ ref, input_schema, example }: Option, it: Json): string {
  const wanted = wantedOf(input_schema);
  return [
    `\`${ref}\` ${plain(stringOf(it.version), 40)} (${stringOf(it.execution_class)}, skill of this service): ${plain(stringOf(it.description), 600)}`,
    ...(wanted.length === 0 ? [] : ['It takes:', ...wanted]),
    ...(example === undefined ? [] : ['For example:', shownJson(example)]),
    `Say “run ${ref} with …”.`,
  ].join('\n');
}

export function wantedOf(schema: unknown): string[] {
  const { properties, required } = objectOf(schema);
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(objectOf(properties))
    .slice(0, 20)
    .map(
      ([name, it]) =>
        `- ${plain(name, 64)}${needed.includes(name) ? ' (needed)' : ''}: ${plain(stringOf(objectOf(it).description), 200)}`,
    );
}

function aboutListing({ ref }: Option, it: Json): string {
  const { reason, detail } = objectOf(it.runnable);
  const tools = listOf(it.tools).map(
    (tool) => `- ${quoted(stringOf(tool.name), 128)}: ${quoted(stringOf(tool.description), 120)}`,
  );
  return [
    `\`${plain(ref, 300)}\` ${quoted(stringOf(it.name), 80)} (${stringOf(it.listing_type)}, ${stringOf(it.execution_class)}): ${quoted(stringOf(it.description), 600)}`,
    `Runs from here: ${reason === 'ok' ? 'yes' : stringOf(reason) || 'not known'}. ${plain(stringOf(detail), 300)}`,
    ...(tools.length === 0 ? [] : ['Tools:', ...tools]),
    ...(stringOf(it.install) === '' ? [] : [`Install: ${plain(stringOf(it.install), 300)}`]),
    `Say “run ${plain(ref, 300)} with …”. What stands in quotes is its author’s.`,
  ].join('\n');
}
