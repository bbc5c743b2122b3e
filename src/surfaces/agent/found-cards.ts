import { AVAILABILITIES, byReason } from '#catalog/items/availability.ts';
import { LISTING_TYPES } from '#catalog/items/kinds.ts';
import { defined } from '#core/defined.ts';
import { plain } from '#core/tools/words.ts';
import { targetsIn } from './gate/learn.ts';
import type { AskedCall } from './gate/state.ts';
import type { FoundCard } from './turn.ts';

/** What a search or a look-up found, as clients of the chat show it: named like a task names it, so that it can be run. Pure. */

/** Of one call. */
const MOST = 10;

const TOOLS = new Set([
  'skill_search',
  'registry_search',
  'marketplace_search',
  'registry_get_listing',
  'registry_get_skill',
  'marketplace_get',
]);

export function foundIn(call: AskedCall, structured: unknown): FoundCard[] {
  if (call.tool === 'task_list') return runsIn(structured);
  if (!TOOLS.has(call.tool)) return [];
  const { items } = Object(structured) as { items?: unknown };
  const results = Array.isArray(items)
    ? items.slice(0, MOST).map((item) => ({ item, within: { items: [item] } }))
    : null;
  return (results ?? [{ item: structured, within: structured }]).flatMap(({ item, within }) =>
    cardOf(call, item, within),
  );
}

function runsIn(structured: unknown): FoundCard[] {
  const { items } = Object(structured) as { items?: unknown };
  return (Array.isArray(items) ? items.slice(0, MOST) : []).flatMap((item) => {
    const { id, title, status, created_at } = Object(item) as Record<string, unknown>;
    if (typeof id !== 'string') return [];
    const description = `${plain(String(status), 40)}, ${String(created_at).slice(0, 10)}`;
    const name = plain(String(title ?? ''), 120);
    return [{ kind: 'task', ref: id, name, description, listing_type: null, availability: null }];
  });
}

function cardOf(call: AskedCall, item: unknown, within: unknown): FoundCard[] {
  const [target] = targetsIn(call, within);
  if (target === undefined) return [];
  const { description, listing_type, availability, execution_class, runnable } = Object(item) as Record<
    string,
    unknown
  >;
  const { reason } = Object(runnable) as { reason?: unknown };
  const byLooking = typeof reason === 'string' ? byReason(reason) : null;
  const runsHere = target.kind === 'skill' && execution_class === 'scripted';
  return [
    {
      kind: target.kind,
      ref: target.ref,
      name: plain(target.name, 120),
      description: typeof description === 'string' ? plain(description, 200) : '',
      listing_type: target.kind === 'skill' ? 'skill' : oneOf(LISTING_TYPES, listing_type),
      availability: runsHere ? 'runs' : (oneOf(AVAILABILITIES, availability) ?? byLooking),
    },
  ];
}

const oneOf = <T extends string>(known: readonly T[], value: unknown): T | null =>
  known.find((name) => name === value) ?? null;

/** As a member of a step; nothing if there is none. */
export function foundMember(call: AskedCall, structured: unknown): { found?: FoundCard[] } {
  const found = foundIn(call, structured);
  return defined({ found: found.length === 0 ? undefined : found });
}
