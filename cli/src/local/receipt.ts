import { createHash, createHmac, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import { newId } from '../../../src/core/ids.ts';
import type { PackagedFacts } from '../../../src/core/mcp/packaged-servers.ts';
import { ATTR, toolsCall } from '../../../src/core/traces/conventions.ts';
import { attributesOfPackage } from '../../../src/core/traces/package-attributes.ts';
import type { StoredSpan } from '../../../src/core/traces/span.ts';
import { digestOfSpans, traceAnswer } from '../../../src/core/traces/trace-answer.ts';
import { hostFacts, resourceFacts } from '../../../src/runtime/receipts/box-facts.ts';
import type { Bundle } from '../../../src/runtime/receipts/bundle.ts';
import { signEnvelope } from '../../../src/runtime/receipts/dsse.ts';
import { jwkOf } from '../../../src/runtime/receipts/receipt-key.ts';
import {
  intentStatement,
  LOCAL_SIGNER,
  PAYLOAD_TYPE,
  type RunFacts,
  runStatement,
} from '../../../src/runtime/receipts/statement.ts';
import type { World } from '../world.ts';
import { type LocalKey, openLocalKey } from './key.ts';
import { appendToLog } from './log.ts';
import { type LocalRun, saveRun } from './runs.ts';
import type { LocalServer } from './server-of.ts';

/**
 * Receipts of runs on this machine: the service's statement, signed by the key of this machine and marked as such. The
 * subject is the tree of files that ran.
 */

export interface BegunRun {
  id: string;
  started_at: string;
  receipt_key: Buffer;
  intent_sha256: string;
  key: LocalKey;
  server: Pick<LocalServer, 'listing' | 'version'>;
  input: { tool: string | null; arguments: unknown };
  /** Known before the run begins. */
  tree: Pick<PackagedFacts, 'purl' | 'tree_sha256'>;
}

export interface RunEnding {
  status: RunFacts['status'];
  /** Why it failed, as a code. */
  reason: string | null;
  output: unknown;
  engine: string | null;
  facts: PackagedFacts;
}

/** Signs what is about to run. */
export async function beginRun(
  world: World,
  { server, input, tree }: Pick<BegunRun, 'server' | 'input' | 'tree'>,
): Promise<BegunRun> {
  const key = await openLocalKey(world);
  const begun = {
    id: newId(),
    started_at: new Date().toISOString(),
    receipt_key: randomBytes(32),
    key,
    server,
    input,
    tree,
  };
  const statement = intentStatement(subjectOf(begun), {
    run_id: begun.id,
    execution_class: 'mcp',
    attempt: 1,
    input: { hmac_sha256: macOf(begun.receipt_key, input) },
    caller: { commitment: commitmentOf(begun) },
    at: begun.started_at,
  });
  const envelope = canonical(signEnvelope(PAYLOAD_TYPE, Buffer.from(canonical(statement)), key.private_key, key.id));
  return { ...begun, intent_sha256: createHash('sha256').update(envelope).digest('hex') };
}

/** Signs the receipt, and keeps it with the trace. Answers where. */
export async function endRun(world: World, run: BegunRun, ending: RunEnding): Promise<LocalRun> {
  const finishedAt = new Date().toISOString();
  const span = spanOf(run, ending, finishedAt);
  const statement = runStatement(subjectOf(run), factsOf(run, ending, finishedAt, span));
  const { key } = run;
  const dsse = signEnvelope(PAYLOAD_TYPE, Buffer.from(canonical(statement)), key.private_key, key.id);
  const logged = await appendToLog(world, Buffer.from(canonical(dsse)), key);
  const receipt: Bundle = { dsse: dsse as Bundle['dsse'], ...logged, jwk: jwkOf(key.public_key) };
  return saveRun(
    world,
    {
      id: run.id,
      ref: refOf(run),
      tool: run.input.tool,
      status: ending.status,
      started_at: run.started_at,
      input: run.input,
      output: ending.output ?? null,
      receipt_key: run.receipt_key.toString('base64'),
      trace: traceAnswer(span.trace_id, [span]),
    },
    receipt,
  );
}

function factsOf(
  run: BegunRun,
  { status, reason, output, engine, facts }: RunEnding,
  finished_at: string,
  span: StoredSpan,
): RunFacts {
  const { purl, lock_sha256, tree_sha256, granted, hosts, cpu_ms, memory_bytes, processes } = facts;
  const listing = run.server.listing;
  const optional: Pick<RunFacts, 'reason' | 'listing'> = {};
  if (status === 'failed' && reason !== null) optional.reason = reason.slice(0, 100);
  if (listing !== null)
    optional.listing = { name: listing, address_sha256: createHash('sha256').update(purl).digest('hex') };
  return {
    run_id: run.id,
    execution_class: 'mcp',
    started_at: run.started_at,
    finished_at,
    status,
    exit_code: null,
    input: { hmac_sha256: macOf(run.receipt_key, run.input) },
    output: { hmac_sha256: macOf(run.receipt_key, output) },
    model: null,
    planner: null,
    trace: { trace_id: span.trace_id, digest: digestOfSpans([span]) },
    caller: { commitment: commitmentOf(run) },
    attempt: 1,
    intent: { digest: { sha256: run.intent_sha256 } },
    environment: {
      isolation: facts.isolation,
      engine,
      network: granted.length === 0 ? 'none' : 'allow_list',
      hosts: hostFacts({ granted, uses: hosts }),
      resources: resourceFacts({ cpu_ms, memory_bytes, processes }),
    },
    package: { purl, lock_sha256, tree_sha256 },
    signer: LOCAL_SIGNER,
    ...optional,
  };
}

function spanOf({ started_at, input }: BegunRun, { status, facts }: RunEnding, finishedAt: string): StoredSpan {
  const tool = input.tool ?? facts.purl;
  return {
    trace_id: randomBytes(16).toString('hex'),
    span_id: randomBytes(8).toString('hex'),
    parent_span_id: null,
    name: toolsCall(tool),
    kind: 'internal',
    started_at,
    duration_ms: Date.parse(finishedAt) - Date.parse(started_at),
    status: status === 'completed' ? 'ok' : 'error',
    attributes: {
      [ATTR.operation]: 'execute_tool',
      [ATTR.tool_name]: tool,
      [ATTR.mcp_method]: input.tool === null ? 'tools/list' : 'tools/call',
      [ATTR.mcp_transport]: 'stdio',
      [ATTR.run_status]: status,
      ...(attributesOfPackage(facts) as StoredSpan['attributes']),
    },
    events: [],
  };
}

const refOf = ({ server, tree }: Pick<BegunRun, 'server' | 'tree'>): string => server.listing ?? tree.purl;

function subjectOf({ server, tree }: Pick<BegunRun, 'server' | 'tree'>) {
  const name =
    server.listing === null ? `package/${tree.purl}` : `listing/${server.listing}@${server.version || 'unversioned'}`;
  return { name, digest: { sha256: tree.tree_sha256 } };
}

const canonical = (value: unknown): string => canonicalize(value ?? null) as string;

const macOf = (key: Uint8Array, value: unknown): string =>
  createHmac('sha256', key).update(canonical(value)).digest('hex');

const commitmentOf = (run: Pick<BegunRun, 'key' | 'server' | 'tree'>): string =>
  createHmac('sha256', run.key.secret)
    .update(JSON.stringify([null, subjectOf(run).name]))
    .digest('hex');
