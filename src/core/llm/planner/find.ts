import type { Call, Ground, Next } from './ground.ts';
import type { Intent } from './intent.ts';
import { isSearch, optionsOf } from './options.ts';
import { failureText, optionLines } from './words.ts';

/** `find …`: our own skills and the registry, told as one numbered list. */

const MOST_LISTED = 5;

export const searches = ({ has }: Ground, query: string, listing_type?: string): Call[] => {
  const words = query.slice(0, 200);
  const type = listing_type === undefined ? {} : { listing_type };
  const own = listing_type === undefined || listing_type === 'skill';
  return [
    ...(own && has('skill_search') ? [{ name: 'skill_search', input: { query: words } }] : []),
    ...(has('registry_search')
      ? [{ name: 'registry_search', input: { query: words, limit: MOST_LISTED, ...type } }]
      : []),
  ];
};

export function lookUp({ query, listing_type }: Extract<Intent, { want: 'find' }>, ground: Ground): Next {
  const found = ground.done.filter((it) => isSearch(it.name));
  if (found.length === 0) return { call: searches(ground, query, listing_type) };
  const options = optionsOf(found);
  const failed = found.filter((it) => it.failed).map(failureText);
  if (options.length === 0)
    return {
      say: [`I found nothing for “${query.replaceAll('”', "'")}”. Try fewer or other words.`, ...failed].join('\n'),
    };
  const hint =
    'Say “run the first one with …”, or “what can NAME do” for the details. What stands in quotes is its author’s.';
  return { say: [`This is what I found:`, optionLines(options), ...failed, hint].join('\n') };
}
