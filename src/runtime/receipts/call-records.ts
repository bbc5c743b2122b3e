import { createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { BegunCall, CallRecords, EndedCall, RecordedCall } from '#core/call-records/call-record.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import { deriveKey, type KeyProvider } from '#core/crypto/secret-keys.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Database } from '#core/db/open.ts';
import type { OwedReceiptRow } from '#core/db/schema-execution.ts';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import type { Log } from '#core/log.ts';
import { hostFacts, resourceFacts } from './box-facts.ts';
import { callPlaces, dailyCalls } from './call-bounds.ts';
import { groupWriter } from './group-writer.ts';
import { type OwedFacts, type OwedOutcome, REMOTE, renewLeases, saveOwed } from './owed-receipts.ts';
import { commitmentsBy } from './receipts.ts';
import type { CallFacts } from './statement.ts';

/**
 * Records tool calls for their receipts. A row is stored before the tool is called, is on the disk before the answer, and is completed
 * after it; `receipts.ts` signs it later. Rows are written in groups, so many calls share a write.
 */

export interface OpenCallRecords extends CallRecords {
  /** Resolves when every call that has ended is stored. */
  close(): Promise<void>;
}

interface CallRecordsDeps {
  database: Pick<Database, 'db' | 'sync'>;
  clock: Clock;
  keys: KeyProvider;
  log: Pick<Log, 'warn'>;
  calls_per_day: number;
  /** After this time without renewal, a call without an outcome counts as interrupted. */
  lease_ms?: number;
}

const LEASE_MS = 15_000;
const RETRIES = 3;
const NO_TRACE = '0'.repeat(32);
const MOST_TEXT = 2_000;
const MOST_TOOL = 500;
const MOST_REASON = 100;

export function openCallRecords(deps: CallRecordsDeps): OpenCallRecords {
  const { clock, keys, log, lease_ms = LEASE_MS } = deps;
  const { db, sync } = deps.database;
  const takePlace = callPlaces();
  const commitment = commitmentsBy(keys);
  const macKey = deriveKey(keys, 'call receipt');
  const open = new Set<string>();
  const ending = new Set<Promise<void>>();
  const writer = groupWriter((rows: readonly OwedReceiptRow[]) => saveOwed(db, rows));
  const leaseUntil = () => isoTime(clock.now() + lease_ms);
  const renewing = setInterval(() => {
    if (open.size > 0)
      renewLeases(db, [...open], leaseUntil()).catch((error) => log.warn({ error }, 'failed to renew tool calls'));
  }, lease_ms / 3).unref();

  function rowOf(id: string, call: BegunCall): OwedReceiptRow & { key: Buffer } {
    const key = createHmac('sha256', macKey).update(id).digest();
    const created_at = isoTime(clock.now());
    const facts = JSON.stringify(factsOf(call, { id, key, created_at, commitment }));
    return { id, key, user_id: call.user_id, facts, outcome: null, lease_until: leaseUntil(), created_at };
  }

  async function saveEnd(row: OwedReceiptRow): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        await writer.putSoon(row);
        await sync();
        break;
      } catch (error) {
        if (attempt > RETRIES) {
          log.warn({ error, receipt_id: row.id }, 'failed to store the outcome of a tool call');
          break;
        }
      }
    open.delete(row.id);
  }

  return {
    admit: dailyCalls({ ...deps, db }),
    begin: (call) => {
      const leave = takePlace(call.user_id);
      const { key, ...row } = rowOf(newId(), call);
      open.add(row.id);
      const stored = writer.put(row);
      // While the tool is called.
      const proven = stored.then(sync);
      proven.catch(() => {});
      // A call that did not begin has no end to store.
      let hasEnded = false;
      stored.catch(() => {
        open.delete(row.id);
        if (!hasEnded) leave();
        hasEnded = true;
      });
      return {
        ...recordedOf(row.id, key),
        stored,
        proven,
        end: (ended) => {
          if (hasEnded) return;
          hasEnded = true;
          const saving = saveEnd({ ...row, outcome: outcomeOf(ended, key, clock) }).finally(() => {
            ending.delete(saving);
            leave();
          });
          ending.add(saving);
        },
      };
    },
    refuse: async (call, ended) => {
      const leave = takePlace(call.user_id);
      try {
        const { key, ...row } = rowOf(newId(), call);
        await writer.put({ ...row, outcome: outcomeOf(ended, key, clock) });
        await sync();
        return recordedOf(row.id, key);
      } finally {
        leave();
      }
    },
    close: async () => {
      clearInterval(renewing);
      await writer.flush();
      await Promise.all(ending);
      await writer.flush();
    },
  };
}

const recordedOf = (receipt_id: string, key: Buffer): RecordedCall => ({
  receipt_id,
  receipt_key: key.toString('base64'),
});

interface FactsOptions {
  id: string;
  key: Buffer;
  created_at: string;
  commitment: ReturnType<typeof commitmentsBy>;
}

function factsOf(call: BegunCall, { id, key, created_at, commitment }: FactsOptions): OwedFacts {
  const tool = {
    server: cut(call.server, MOST_TEXT - MOST_TOOL - 10),
    name: cut(call.tool, MOST_TOOL),
    definition_sha256: call.definition_sha256,
  };
  const name = `tool/${tool.server}/${tool.name}`;
  const { listing } = call;
  return {
    no_output: macOfText(key, 'null'),
    subject: { name, digest: { sha256: sha256(canonicalize(tool) as string) } },
    predicate: {
      run_id: id,
      execution_class: 'mcp',
      started_at: created_at,
      exit_code: null,
      input: macOfText(key, JSON.stringify(call.arguments ?? {})),
      model: null,
      planner: null,
      trace: { trace_id: call.trace_id ?? NO_TRACE },
      caller: { commitment: commitment(call.user_id, name) },
      attempt: 1,
      tool,
      ...defined({
        listing:
          listing === null
            ? undefined
            : { name: cut(listing.name, MOST_TEXT), address_sha256: sha256(listing.address) },
      }),
    },
  };
}

function outcomeOf({ status, reason, result, facts }: EndedCall, key: Buffer, clock: Clock): string {
  const outcome: OwedOutcome = {
    status,
    finished_at: isoTime(clock.now()),
    output: macOfText(key, JSON.stringify(result ?? null)),
    environment: facts === null ? REMOTE : boxOf(facts),
    ...defined({
      reason: reason === null ? undefined : cut(reason, MOST_REASON),
      package:
        facts === null
          ? undefined
          : { purl: facts.purl, lock_sha256: facts.lock_sha256, tree_sha256: facts.tree_sha256 },
    }),
  };
  return JSON.stringify(outcome);
}

const boxOf = (facts: NonNullable<EndedCall['facts']>): CallFacts['environment'] => ({
  isolation: facts.isolation,
  engine: null,
  network: facts.granted.length === 0 ? 'none' : 'allow_list',
  hosts: hostFacts({ granted: facts.granted, uses: facts.hosts }),
  ...defined({ resources: resourceFacts(facts) }),
});

/** Over the text as it is: making a large result canonical would hold up other requests. */
const macOfText = (key: Buffer, text: string) => ({
  hmac_sha256: createHmac('sha256', key).update(text).digest('hex'),
});

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed() || '?';
