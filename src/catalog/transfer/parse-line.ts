import { isUtf8 } from 'node:buffer';
import { areCarried, type CarriedDetails } from '#catalog/details/carried-details.ts';
import { areFacts, type Facts, MAX_README_CHARS } from '#catalog/items/facts.ts';
import { Item, type Listing } from '#catalog/items/item.ts';
import { guessReported } from '#catalog/items/item-line.ts';
import { invalidReason } from '#catalog/items/validate-listing.ts';
import { areVerdicts, type Verdict } from '#catalog/items/verdicts.ts';
import { defined } from '#core/defined.ts';
import { isRecord } from '#core/record.ts';
import { cleaned } from './clean-line.ts';

/** One line of an import: its listing, or why it is invalid. */
export type Parsed = { listing: Listing; details: CarriedDetails | null } | { reason: string };

const ITEM_KEYS = Object.keys(Item.properties) as (keyof Item)[];
const REPORTED = ['downloads', 'stars', 'updated_at'] as const;

export function parseLine(bytes: Buffer): Parsed {
  if (!isUtf8(bytes)) return { reason: 'is not UTF-8' };
  const value = parseJson(bytes.toString('utf8').replace(/^\u{FEFF}/u, ''));
  if (!isRecord(value)) return { reason: value === undefined ? 'is not JSON' : 'is not a JSON object' };
  if (typeof value.removed_at === 'string') return { reason: 'is a tombstone; deltas cannot be imported' };
  const wrong = wrongExtra(value);
  if (wrong !== null) return { reason: wrong };
  const listing = listingOf(value);
  const reason = invalidReason(listing);
  if (reason !== null) return { reason };
  const clean = cleaned({ ...listing, external_updated_at: isoOf(listing.external_updated_at) });
  return { listing: clean, details: (value.details as CarriedDetails | undefined) ?? null };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wrongExtra({
  license,
  repository,
  install,
  manifest,
  reported,
  verdicts,
  facts,
  readme,
  details,
}: Record<string, unknown>): string | null {
  for (const [key, text] of Object.entries({ license, repository, readme })) {
    if (text !== undefined && typeof text !== 'string') return `${key} is not a string`;
  }
  for (const [key, object] of Object.entries({ install, manifest })) {
    if (object !== undefined && object !== null && !isRecord(object)) return `${key} is not an object`;
  }
  if (verdicts !== undefined && !areVerdicts(verdicts)) return 'verdicts is invalid';
  if (facts !== undefined && !areFacts(facts)) return 'facts is invalid';
  if (details !== undefined && !areCarried(details)) return 'details is invalid';
  if (typeof readme === 'string' && readme.length > MAX_README_CHARS)
    return `readme is longer than ${MAX_README_CHARS} characters`;
  if (reported === undefined) return null;
  return isRecord(reported) && REPORTED.every((key) => typeof reported[key] === 'boolean')
    ? null
    : 'reported is invalid';
}

/** Builds a listing from unchecked fields; `invalidReason` validates the result. */
function listingOf(value: Record<string, unknown>): Listing {
  const item = Object.fromEntries(ITEM_KEYS.map((key) => [key, value[key]])) as Item;
  const reported = value.reported as Listing['reported'] | undefined;
  return {
    ...item,
    license: (value.license as string | undefined) ?? '',
    repository: (value.repository as string | undefined) ?? '',
    install: (value.install as Listing['install'] | undefined) ?? null,
    manifest: (value.manifest as Listing['manifest'] | undefined) ?? null,
    reported:
      reported === undefined
        ? guessReported(item)
        : { downloads: reported.downloads, stars: reported.stars, updated_at: reported.updated_at },
    ...defined({ verdicts: value.verdicts === undefined ? undefined : (value.verdicts as Verdict[]) }),
    ...defined({
      facts: value.facts === undefined ? undefined : (value.facts as Facts),
      readme: value.readme === undefined ? undefined : (value.readme as string),
    }),
    aliases: [],
  };
}

const isoOf = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString());
