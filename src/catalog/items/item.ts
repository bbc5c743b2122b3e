import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from './kinds.ts';
import type { Verdict } from './verdicts.ts';

/** The shapes of a listing and the pure rules over them; no I/O. */

/** The registry item of the specification, field for field, plus `execution_class`. Key order is wire order. */
export const Item = Type.Object(
  {
    name: Type.String({ description: 'Listing name.' }),
    description: Type.String(),
    version: Type.String({ description: 'Version string of the listing; not always semver.' }),
    author: Type.String(),
    homepage: Type.String({ description: 'URL, or empty.' }),
    downloads: Type.Integer({ minimum: 0, description: '0 where the provider reports none.' }),
    stars: Type.Integer({ minimum: 0, description: '0 where the provider reports none.' }),
    tags: Type.Array(Type.String()),
    source: Type.Enum([...PROVIDERS], { description: 'The provider the listing came from.' }),
    listing_type: Type.Enum([...LISTING_TYPES]),
    external_id: Type.String({ minLength: 1, description: 'Opaque, case-sensitive id at the provider.' }),
    provider_id: Type.Enum([...PROVIDERS], { description: 'Same value as `source`.' }),
    external_updated_at: Type.Union([Type.String(), Type.Null()], {
      description: 'ISO 8601 UTC time of the last change at the provider, or null where it reports none.',
    }),
    execution_class: Type.Enum([...EXECUTION_CLASSES]),
  },
  { additionalProperties: false },
);
export type Item = Static<typeof Item>;

/** How a client gets the thing: package coordinates, remote addresses, or a command. */
export type Install = Record<string, unknown>;

/** An item with what only its detail shows. What sync and import save. */
export interface Listing extends Item {
  license: string;
  /** Source repository URL, or empty. */
  repository: string;
  install: Install | null;
  /** The provider's own record, as it came. */
  manifest: Record<string, unknown> | null;
  /** Which of the three the provider really reported, as opposed to our 0 or null. */
  reported: { downloads: boolean; stars: boolean; updated_at: boolean };
  /** What the provider says after it looked at it; left out where it says nothing. */
  verdicts?: Verdict[];
  /** Ids under which the provider knew it before. */
  aliases: string[];
}

/** How long a listing that is gone is remembered. */
export const TOMBSTONE_MS = 30 * 86_400_000;
