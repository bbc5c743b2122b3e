import {
  type Facts,
  type Icon,
  type ListedStatus,
  type ListedTool,
  type ListedVersion,
  MAX_DATA_ICON_CHARS,
  MAX_FACTS_CHARS,
  MAX_ICONS,
  MAX_LISTED_TOOLS,
  MAX_META_CHARS,
  MAX_README_CHARS,
  MAX_VERSIONS,
  readmeDigest,
} from '#catalog/items/facts.ts';
import { hintsIn } from '#catalog/items/tool-hints.ts';
import { defined } from '#core/defined.ts';
import { isRecord } from '#core/record.ts';
import { wellFormed } from '#core/text/keepable.ts';
import { isWithin, MAX, text, time, url } from './adapt-fields.ts';
import { member } from './adapt-record.ts';
import type { PickedFacts } from './picked-facts.ts';

/** Cleans what a record reports beyond the registry item. Accepts anything and drops what is invalid or too long. Pure. */

const MAX_STATUS_TEXT = 1_000;
const MAX_SCHEMA_CHARS = 8_192;

interface CleanFacts {
  facts: Facts | null;
  /** Text of the README; '' if the record has none. */
  readme: string;
}

export function factsOf(picked: PickedFacts): CleanFacts {
  const readme = url(picked.readme) === '' ? text(picked.readme, MAX_README_CHARS) : '';
  const small = {
    ...named('title', text(picked.title, MAX.name)),
    ...named('schema', https(picked.schema)),
    ...filled('repository', repositoryOf(picked.repository)),
    ...defined({ status: statusOf(picked.status) ?? undefined }),
    ...named('published_at', exactTime(picked.published_at)),
    ...filled('readme', {
      ...named('url', https(picked.readme)),
      ...named('digest', readme === '' ? '' : readmeDigest(readme)),
    }),
  };
  const budget = { chars: MAX_FACTS_CHARS - 1_000 };
  budget.chars -= JSON.stringify(small).length;
  const facts: Facts = {
    ...small,
    ...listed('icons', within(iconsOf(picked.icons), budget)),
    ...listed('versions', within(versionsOf(picked.versions ?? []), budget)),
    ...filled('meta', within([metaOf(picked.meta)], budget)[0] ?? {}),
    ...listed('tools', within(toolsOf(picked.tools), budget)),
  };
  return { facts: Object.keys(facts).length === 0 ? null : facts, readme };
}

const named = <K extends string>(key: K, value: string) =>
  (value === '' ? {} : { [key]: value }) as { [k in K]?: string };
const filled = <K extends string, V extends object>(key: K, value: V) =>
  (Object.keys(value).length === 0 ? {} : { [key]: value }) as { [k in K]?: V };
const listed = <K extends string, V>(key: K, values: V[]) =>
  (values.length === 0 ? {} : { [key]: values }) as { [k in K]?: V[] };

/** The first values that fit what is left of the budget. */
function within<T>(values: readonly T[], budget: { chars: number }): T[] {
  const kept: T[] = [];
  for (const value of values) {
    const chars = JSON.stringify(value).length + 1;
    if (chars > budget.chars) break;
    budget.chars -= chars;
    kept.push(value);
  }
  return kept;
}

const https = (value: unknown): string => (url(value).startsWith('https://') ? url(value) : '');

/** As the provider wrote it, so that it can be passed on unchanged. Milliseconds become ISO. */
function exactTime(value: unknown): string {
  const parsed = time(value);
  if (parsed === null) return '';
  return typeof value === 'string' ? text(value, 40) : parsed;
}

const repositoryOf = (from: PickedFacts['repository']) => ({
  ...named('source', text(from?.source, 100)),
  ...named('id', text(from?.id, 200)),
  ...named('subfolder', text(from?.subfolder, 500)),
});

function statusOf(from: PickedFacts['status']): ListedStatus | null {
  const status = text(from?.status, 40);
  if (status === '') return null;
  return {
    status,
    ...named('message', text(from?.message, MAX_STATUS_TEXT)),
    ...named('changed_at', exactTime(from?.changed_at)),
  };
}

const DATA_IMAGE = /^data:image\/[a-z0-9.+-]{1,40}(?:;charset=[a-z0-9-]{1,20})?(?:;base64)?,[\w+/=%.~!$&'()*,;:@-]*$/i;

function iconsOf(from: unknown): Icon[] {
  const all = typeof from === 'string' ? [{ src: from }] : listOf(from);
  return all.slice(0, MAX_ICONS).flatMap((icon) => {
    const written = member(icon, 'src');
    const src = https(written) || dataImage(written);
    if (src === '') return [];
    const mimeType = text(member(icon, 'mimeType'), 100);
    const sizes = listOf(member(icon, 'sizes'))
      .slice(0, 20)
      .filter((size) => typeof size === 'string' && /^(?:any|\d{1,5}x\d{1,5})$/.test(size)) as string[];
    const theme = member(icon, 'theme');
    return [
      {
        src,
        ...named('mimeType', /^image\/[\w.+-]+$/.test(mimeType) ? mimeType : ''),
        ...listed('sizes', sizes),
        ...defined({ theme: theme === 'light' || theme === 'dark' ? (theme as 'light' | 'dark') : undefined }),
      },
    ];
  });
}

const dataImage = (value: unknown): string =>
  typeof value === 'string' && value.length <= MAX_DATA_ICON_CHARS && DATA_IMAGE.test(value) ? value : '';

function versionsOf(from: NonNullable<PickedFacts['versions']>): ListedVersion[] {
  const known = new Map<string, ListedVersion>();
  for (const { version, published_at, changes, status } of from.slice(0, MAX_VERSIONS)) {
    const name = text(version, MAX.version);
    if (name !== '' && !known.has(name))
      known.set(name, {
        version: name,
        published_at: exactTime(published_at) || null,
        changes: text(changes, 1_000),
        // Most are active, which says nothing.
        ...defined({ status: member(status, 'status') === 'active' ? undefined : (statusOf(status) ?? undefined) }),
      });
  }
  return [...known.values()];
}

const metaOf = (from: unknown): Record<string, unknown> =>
  isRecord(from) && isWithin(from, { chars: MAX_META_CHARS }, 16) ? wellFormed(from) : {};

/** In the forms of Glama (`inputSchema`) and of Docker (`arguments`). */
function toolsOf(from: unknown): ListedTool[] {
  const known = new Map<string, ListedTool>();
  for (const tool of listOf(from).slice(0, MAX_LISTED_TOOLS)) {
    const name = text(member(tool, 'name'), 200);
    if (name === '' || known.has(name)) continue;
    known.set(name, {
      name,
      title: text(member(tool, 'title') ?? member(member(tool, 'annotations'), 'title'), 200),
      description: text(member(tool, 'description'), 1_000),
      input_schema: schemaOf(member(tool, 'inputSchema')) ?? argumentsOf(member(tool, 'arguments')),
      ...defined({ annotations: hintsIn(member(tool, 'annotations')) }),
    });
  }
  return [...known.values()];
}

const schemaOf = (from: unknown): Record<string, unknown> | null =>
  isRecord(from) && isWithin(from, { chars: MAX_SCHEMA_CHARS }, 32) ? wellFormed(from) : null;

function argumentsOf(from: unknown): Record<string, unknown> | null {
  if (!Array.isArray(from)) return null;
  const all = from.slice(0, 50).flatMap((argument) => {
    const name = text(member(argument, 'name'), 200);
    if (name === '') return [];
    const property = {
      ...named('type', text(member(argument, 'type'), 40)),
      ...named('description', text(member(argument, 'desc'), 500)),
    };
    return [{ name, property, required: member(argument, 'optional') !== true }];
  });
  return schemaOf({
    type: 'object',
    properties: Object.fromEntries(all.map(({ name, property }) => [name, property])),
    required: all.filter(({ required }) => required).map(({ name }) => name),
  });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
