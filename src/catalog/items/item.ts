import type { Static } from 'typebox';
import { Type } from '#core/json-schema/type.ts';
import type { Facts } from './facts.ts';
import { EXECUTION_CLASSES, LISTING_TYPES, PROVIDERS } from './kinds.ts';
import type { Verdict } from './verdicts.ts';

/** Schemas and types of a listing. */

/** The registry item of the specification plus `execution_class`. The order of keys is the order on the wire. */
export const Item = Type.Object(
  {
    name: Type.String({ description: 'Listing name.' }),
    description: Type.String(),
    version: Type.String({ description: 'Version of the listing; not always SemVer.' }),
    author: Type.String(),
    homepage: Type.String({ description: 'URL; may be empty.' }),
    downloads: Type.Integer({ minimum: 0, description: '0 if the provider reports none.' }),
    stars: Type.Integer({ minimum: 0, description: '0 if the provider reports none.' }),
    tags: Type.Array(Type.String()),
    source: Type.Enum([...PROVIDERS], { description: 'The provider the listing came from.' }),
    listing_type: Type.Enum([...LISTING_TYPES]),
    external_id: Type.String({ minLength: 1, description: 'Opaque, case-sensitive id at the provider.' }),
    provider_id: Type.Enum([...PROVIDERS], { description: 'Same value as `source`.' }),
    external_updated_at: Type.Union([Type.String(), Type.Null()], {
      description: 'ISO 8601 UTC time of the last change at the provider; null if it reports none.',
    }),
    execution_class: Type.Enum([...EXECUTION_CLASSES]),
  },
  { additionalProperties: false },
);
export type Item = Static<typeof Item>;

/** How to install it: package coordinates, remote addresses, or a command. */
export type Install = Record<string, unknown>;

/** An item with the fields of its detail, as sync and import save it. */
export interface Listing extends Item {
  license: string;
  /** URL of the source repository; may be empty. */
  repository: string;
  install: Install | null;
  /** The provider's original record. */
  manifest: Record<string, unknown> | null;
  /** Which of these the provider reported; 0 or null is ours otherwise. */
  reported: { downloads: boolean; stars: boolean; updated_at: boolean };
  /** Verdicts of the provider; missing if it has none. */
  verdicts?: Verdict[];
  /** What the provider reports beyond the fields above; missing if nothing. */
  facts?: Facts;
  /** Text of the README or SKILL.md; missing if the record has none. `facts.readme.digest` is its digest. */
  readme?: string;
  /** Former ids at the provider. */
  aliases: string[];
}

/** How long tombstones are kept. */
export const TOMBSTONE_MS = 30 * 86_400_000;
