import { hash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { findRow } from '#catalog/items/read-items.ts';
import { packValidators, type SyncConfig, unpackValidators } from '#catalog/sync/sync-plan.ts';
import type { BlobStore } from '#core/blobs/blob-store.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { ListingDetailRow, ListingDocumentRow, ListingRow, Schema } from '#core/db/schema.ts';
import { defined } from '#core/defined.ts';
import type { Log } from '#core/log.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';
import { type DetailEdit, findDetail, saveDetail, UNTIL_CHANGED } from './details.ts';
import {
  type DocumentKind,
  documentsOf,
  removeDocument,
  removeFiles,
  saveDocument,
  touchDocument,
} from './documents.ts';
import { type Asking, type GatherDeps, type Gathered, type GatheredDocument, stepsFor } from './gather.ts';
import { fetchIcon } from './icon.ts';
import { isDated, recordKey } from './record-key.ts';
import type { Room } from './room.ts';
import { saveFiles } from './save-files.ts';

/** Makes the requests for one listing, one after another, and saves what they found and when to ask again. */

export interface FetchDeps extends GatherDeps {
  db: Kysely<Schema>;
  blobs: BlobStore;
  room: Room;
  clock: Clock;
  log: Log;
  config: SyncConfig;
  /** For icons, which are not text. */
  fetch: OutboundFetch;
}

const DAY_MS = 86_400_000;
/** Listings whose records have neither a version nor a time are asked whether they changed. */
const UNDATED_MS = 30 * DAY_MS;
/** Doubles up to a day. */
export const FAILED_MS = 15 * 60_000;

type Source = Pick<Asking, 'provider' | 'base_url' | 'key' | 'get' | 'signal' | 'is_asked'>;

/** `failed`: a host that other listings need too could not be reached. */
export async function fetchListing(
  deps: FetchDeps,
  row: ListingRow,
  source: Source,
): Promise<{ row: ListingRow; failed: boolean }> {
  const { db, blobs, config, log } = deps;
  const [detail, stored] = await Promise.all([findDetail(db, row), storedHere(db, blobs, row)]);
  const asking: Asking = {
    ...source,
    row,
    validators: isComplete(detail, stored) ? unpackValidators(config, detail?.validators ?? '{}') : {},
    known: (kind) => {
      const document = stored.here.get(kind);
      return document === undefined
        ? null
        : { url: document.url, validators: unpackValidators(config, document.validators) };
    },
  };
  const icon = fetchIcon({ ...deps, icons: deps.hosts.icons }, row, source.signal);
  const found: Gathered[] = [];
  const failures: { error: unknown; is_shared: boolean }[] = [];
  for (const { ask, is_shared } of stepsFor(deps, source.provider, row)) {
    try {
      found.push(await ask(asking));
    } catch (error) {
      if (source.signal.aborted) throw error;
      log.info(
        { error, provider: row.provider_id, external_id: row.external_id },
        'failed to fetch details of a listing',
      );
      failures.push({ error, is_shared });
    }
  }
  await icon;
  const edit = editOf(deps, row, detail, found, failures[0]?.error);
  // It may have been purged in the meantime.
  const isThere = (await findRow(db, row)) !== undefined;
  const changes = isThere ? await saveAllDocuments(deps, row, found, stored) : 0;
  const isOther = edit.files !== undefined && edit.files !== detail?.files;
  const saved = await saveDetail(db, row, edit, isoTime(deps.clock.now()), changes > 0 || isOther);
  // Digests of files are not always known, so that a new list may mean new contents.
  if (isThere && isOther) await removeFiles(db, row);
  if (isThere) for (const { contents } of found) if (contents !== undefined) await saveFiles(deps, row, contents);
  return { row: saved ?? row, failed: failures.some(({ error, is_shared }) => is_shared && !isOfListing(error)) };
}

interface Stored {
  here: Map<DocumentKind, ListingDocumentRow>;
  /** Whether a process with another data directory has texts that are missing here. */
  is_missing: boolean;
}

async function storedHere(db: Kysely<Schema>, blobs: BlobStore, row: ListingRow): Promise<Stored> {
  const documents = await documentsOf(db, row);
  const has = await Promise.all(documents.map(({ digest }) => blobs.has(digest)));
  const here = documents.filter((_, at) => has[at]);
  return {
    here: new Map(here.map((document) => [document.kind as DocumentKind, document])),
    is_missing: here.length < documents.length,
  };
}

/** Whether documents of the listing are stored by another process only. */
export const isMissingHere = (db: Kysely<Schema>, blobs: BlobStore, row: ListingRow): Promise<boolean> =>
  storedHere(db, blobs, row).then(({ is_missing }) => is_missing);

/** Whether the provider may answer that nothing changed. */
const isComplete = (detail: ListingDetailRow | undefined, { is_missing }: Stored): boolean =>
  detail?.fetched_at != null && !is_missing;

function editOf(
  { clock, config }: FetchDeps,
  row: ListingRow,
  before: ListingDetailRow | undefined,
  found: readonly Gathered[],
  failure: unknown,
): DetailEdit {
  const now = clock.now();
  const edit: DetailEdit = Object.assign({}, ...found.map((each) => editOfOne(config, each)));
  if (failure === undefined)
    return {
      ...edit,
      failures: 0,
      error: '',
      fetched_at: isoTime(now),
      record_key: recordKey(row),
      due_at: isDated(row) ? UNTIL_CHANGED : isoTime(now + UNDATED_MS),
    };
  const failures = (before?.failures ?? 0) + 1;
  const waitMs = Math.min(DAY_MS, FAILED_MS * 2 ** Math.min(failures - 1, 10));
  return { ...edit, failures, error: reasonOf(failure), record_key: recordKey(row), due_at: isoTime(now + waitMs) };
}

function editOfOne(config: SyncConfig, { install, facts, license, files, answer }: Gathered): DetailEdit {
  return defined({
    install: jsonOf(install),
    facts: jsonOf(facts),
    // A response without one may follow a license file that has not changed.
    license: license || undefined,
    files: jsonOf(files?.files),
    file_count: files?.file_count,
    execution_class: files === undefined ? undefined : files.has_scripts ? 'scripted' : null,
    digest: answer === undefined ? undefined : `sha256:${hash('sha256', answer.text, 'hex')}`,
    validators: answer === undefined ? undefined : packValidators(config, answer.validators),
  });
}

const jsonOf = (value: object | null | undefined): string | null | undefined =>
  value == null ? value : JSON.stringify(value);

/** Returns how many documents are other than before. */
async function saveAllDocuments(
  deps: FetchDeps,
  row: ListingRow,
  found: readonly Gathered[],
  stored: Stored,
): Promise<number> {
  let changes = 0;
  for (const { documents } of found)
    for (const [kind, document] of Object.entries(documents))
      changes += Number(await saveOne(deps, row, kind as DocumentKind, document, stored));
  return changes;
}

async function saveOne(
  { db, blobs, room, clock, config }: FetchDeps,
  row: ListingRow,
  kind: DocumentKind,
  document: GatheredDocument,
  { here }: Stored,
): Promise<boolean> {
  const before = here.get(kind);
  const fetched_at = isoTime(clock.now());
  if (document.kind === 'none') {
    await removeDocument(db, row, kind);
    return before !== undefined;
  }
  const validators = packValidators(config, document.validators);
  if (document.kind === 'unchanged') {
    await touchDocument(db, row, kind, { fetched_at, validators });
    return false;
  }
  const { url, text } = document;
  const { digest, bytes } = await saveDocument(db, blobs, row, { kind, url, text, validators, fetched_at });
  room.add(row.provider_id, bytes - (before?.bytes ?? 0));
  return digest !== before?.digest;
}

/** What the listing shows; texts of other errors stay in the log. */
const reasonOf = (error: unknown): string =>
  error instanceof Problem
    ? error.message.slice(0, 500).toWellFormed()
    : 'The response could not be processed. See the log.';

/** A malformed, refused or missing response concerns this listing only. */
const isOfListing = (error: unknown): boolean =>
  isProblem(error, 'registry.provider_failed', 'format') ||
  isProblem(error, 'outbound.failed', 'too_large') ||
  isProblem(error, 'outbound.failed', 'blocked') ||
  isProblem(error, 'outbound.failed', 'redirect') ||
  isProblem(error, 'runs.unsupported') ||
  isProblem(error, 'runs.gone');
