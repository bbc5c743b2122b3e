import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import { defined } from '#core/defined.ts';
import { compile } from '#core/json-schema/compile.ts';
import { Type } from '#core/json-schema/type.ts';
import { ToolHints } from './tool-hints.ts';

/** What a provider reports about a listing beyond the registry item. Untrusted text, cleaned by sync/adapt-facts.ts. Pure. */

/** In characters of JSON or text; longer values are shortened or dropped. */
export const MAX_FACTS_CHARS = 65_536;
export const MAX_README_CHARS = 65_536;
export const MAX_META_CHARS = 16_384;
export const MAX_DATA_ICON_CHARS = 8_192;
export const MAX_ICONS = 8;
export const MAX_VERSIONS = 50;
export const MAX_LISTED_TOOLS = 200;

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }));
const address = Type.Optional(Type.String({ maxLength: 2_048, pattern: '^https://[^\\s]+$' }));
const closed = { additionalProperties: false };

export const Icon = Type.Object(
  {
    src: Type.String({
      maxLength: MAX_DATA_ICON_CHARS,
      pattern: '^(https://|data:image/)',
      description: 'URL, or an image of at most 8 KB as a data URL. Not checked here.',
    }),
    mimeType: text(100),
    sizes: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 20 })),
    theme: Type.Optional(Type.Enum(['light', 'dark'])),
  },
  closed,
);
export type Icon = Static<typeof Icon>;

export const ListedStatus = Type.Object(
  {
    status: Type.String({ maxLength: 40 }),
    message: text(1_000),
    changed_at: text(40),
  },
  closed,
);
export type ListedStatus = Static<typeof ListedStatus>;

export const ListedVersion = Type.Object(
  {
    version: Type.String({ maxLength: 100 }),
    published_at: Type.Union([Type.String({ maxLength: 40 }), Type.Null()], {
      description: 'As the provider reports it; null if it reports none.',
    }),
    changes: Type.String({ maxLength: 1_000, description: 'What changed, in the words of the author; may be empty.' }),
    status: Type.Optional(ListedStatus),
  },
  closed,
);
export type ListedVersion = Static<typeof ListedVersion>;

const ListedTool = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    title: Type.String({ maxLength: 200 }),
    description: Type.String({ maxLength: 1_000 }),
    input_schema: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    annotations: Type.Optional(ToolHints),
  },
  closed,
);
export type ListedTool = Static<typeof ListedTool>;

/** Members that the provider does not report are missing. */
export const Facts = Type.Object(
  {
    /** Display name, if the provider has names for people beside its ids. */
    title: text(200),
    /** `$schema` of a record of the MCP registry. */
    schema: address,
    icons: Type.Optional(Type.Array(Icon, { maxItems: MAX_ICONS })),
    repository: Type.Optional(Type.Object({ source: text(100), id: text(200), subfolder: text(500) }, closed)),
    /** `_meta` of the publisher in a record of the MCP registry. */
    meta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    status: Type.Optional(ListedStatus),
    published_at: text(40),
    /** Newest first: the provider's, and those that earlier syncs saw. */
    versions: Type.Optional(Type.Array(ListedVersion, { maxItems: MAX_VERSIONS })),
    tools: Type.Optional(Type.Array(ListedTool, { maxItems: MAX_LISTED_TOOLS })),
    readme: Type.Optional(
      Type.Object(
        {
          /** Where the provider has it. */
          url: address,
          /** sha256 of the stored text; missing if the record has only the URL. */
          digest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
        },
        closed,
      ),
    ),
  },
  closed,
);
export type Facts = Static<typeof Facts>;

const facts = compile(Facts);

export const areFacts = (value: unknown): value is Facts =>
  facts.check(value) && JSON.stringify(value).length <= MAX_FACTS_CHARS;

export const factsIn = (stored: string | null | undefined): Facts =>
  stored == null ? {} : (JSON.parse(stored) as Facts);

export const readmeDigest = (readme: string): string => hash('sha256', readme, 'hex');

/** Bits of the column `facts_held`. */
export const HELD = { title: 1, icons: 2, tools: 4, readme: 8 } as const;

export const heldOf = (listed: Facts): number =>
  (listed.title ? HELD.title : 0) |
  (listed.icons?.length ? HELD.icons : 0) |
  (listed.tools?.length ? HELD.tools : 0) |
  (listed.readme?.digest === undefined ? 0 : HELD.readme);

/** Adds versions that earlier syncs saw. The newer report of a version wins. */
export function withHistory(listed: Facts, before: Facts): Facts {
  const known = [...(listed.versions ?? []), ...(before.versions ?? [])];
  if (known.length === 0) return listed;
  const versions = [...Map.groupBy(known, ({ version }) => version).values()].flatMap(([first]) => first ?? []);
  return fitted({ ...listed, versions: versions.slice(0, MAX_VERSIONS) });
}

/** Adds what a detail found. The list wins, except for tools, of which lists often have only the names. */
export function withFound(listed: Facts, found: Facts): Facts {
  const { tools, versions = [], ...rest } = found;
  return withHistory({ ...rest, ...listed, ...defined({ tools: tools ?? listed.tools }) }, { versions });
}

/** Without what a detail added, as far as that can be told. */
export function withoutFound(all: Facts, found: Facts): Facts {
  const { versions: _, ...added } = found;
  const kept = Object.entries(all).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(added[key as keyof typeof added]),
  );
  return Object.fromEntries(kept);
}

/** Drops the oldest versions, and then tools, until the rest fits. */
function fitted(all: Facts): Facts {
  let { versions = [], tools = [] } = all;
  const joined = (): Facts => ({
    ...all,
    ...defined({
      versions: versions.length === 0 ? undefined : versions,
      tools: tools.length === 0 ? undefined : tools,
    }),
  });
  while (versions.length > 1 && isTooLong(joined())) versions = versions.slice(0, versions.length >> 1);
  while (tools.length > 1 && isTooLong(joined())) tools = tools.slice(0, tools.length >> 1);
  return joined();
}

const isTooLong = (all: Facts): boolean => JSON.stringify(all).length > MAX_FACTS_CHARS;
