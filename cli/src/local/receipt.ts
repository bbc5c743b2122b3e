import { createHmac, randomBytes } from 'node:crypto';
import canonicalize from 'canonicalize';
import { sha256 } from '../../../src/core/crypto/sha256.ts';
import { defined } from '../../../src/core/defined.ts';
import { newId } from '../../../src/core/ids.ts';
import type { PackagedFacts } from '../../../src/core/mcp/packaged-servers.ts';
import { Problem } from '../../../src/core/problem/problem.ts';
import { ATTR, runScript, toolsCall } from '../../../src/core/traces/conventions.ts';
import { hostsReached } from '../../../src/core/traces/package-attributes.ts';
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
import { Failure } from '../failure.ts';
import type { World } from '../world.ts';
import { type LocalKey, openLocalKey } from './key.ts';
import { appendToLog } from './log.ts';
import { type LocalRun, saveRun } from './runs.ts';
import type { LocalServer } from './server-of.ts';

/**
 * Receipts of runs on this machine: the service's statement, signed by the key of this machine and marked as such. The
 * subject is the tree of files that ran: a server's package, or a skill.
 */

/** What is run. */
export interface RunSubject {
  execution_class: 'mcp' | 'scripted';
  /** As `capstan local runs` shows it. */
  ref: string;
  /** As receipts name it. */
  name: string;
  sha256: string;
  /** Null without a listing. The address is a package URL, or where the files of a skill are. */
  listing: { name: string; address: string } | null;
}

export function packageSubject(
  { listing, version }: Pick<LocalServer, 'listing' | 'version'>,
  { purl, tree_sha256 }: Pick<PackagedFacts, 'purl' | 'tree_sha256'>,
): RunSubject {
  return {
    execution_class: 'mcp',
    ref: listing ?? purl,
    name: listing === null ? `package/${purl}` : `listing/${listing}@${version || 'unversioned'}`,
    sha256: tree_sha256,
    listing: listing === null ? null : { name: listing, address: purl },
  };
}

/** Of a package whose files were not fetched: there is no tree, so the digest is that of its package URL. */
export function unfetchedSubject(server: Pick<LocalServer, 'listing' | 'version'>, purl: string): RunSubject {
  const subject = packageSubject(server, { purl, tree_sha256: sha256(purl) });
  return { ...subject, name: `${subject.name} (not fetched)` };
}

export interface BegunRun {
  id: string;
  started_at: string;
  receipt_key: Buffer;
  intent_sha256: string;
  key: LocalKey;
  input: { tool: string | null; arguments: unknown };
  subject: RunSubject;
}

/** What the box did. */
interface BoxFacts extends Pick<PackagedFacts, 'granted' | 'hosts' | 'cpu_ms' | 'memory_bytes' | 'processes'> {
  /** Null if nothing ran. */
  isolation: string | null;
  /** Of a server. */
  package?: RunFacts['package'];
  /** Those that a script imported. */
  packages?: RunFacts['packages'];
}

export function factsOfPackage(facts: PackagedFacts): BoxFacts {
  const { purl, lock_sha256, tree_sha256 } = facts;
  return Object.assign({}, facts, { package: { purl, lock_sha256, tree_sha256 } });
}

/** What a run states that ended before its box was started. */
const NOTHING_RAN: BoxFacts = {
  isolation: null,
  granted: [],
  hosts: [],
  cpu_ms: null,
  memory_bytes: null,
  processes: null,
};

/** The receipt of a run that was cancelled, refused or failed before anything ran. */
export function endUnstarted(world: World, run: BegunRun, error: unknown): Promise<LocalRun> {
  const status = world.signal.aborted ? 'cancelled' : 'failed';
  const reason = error instanceof Problem || error instanceof Failure ? (error.reason ?? error.code) : 'internal';
  return endRun(world, run, {
    status,
    reason: status === 'failed' ? reason : null,
    output: null,
    engine: null,
    facts: NOTHING_RAN,
  });
}

export interface RunEnding {
  status: RunFacts['status'];
  /** Why it failed, as a code. */
  reason: string | null;
  output: unknown;
  engine: string | null;
  facts: BoxFacts;
  /** Of a script. */
  exit_code?: number | null;
}

/** Signs what is about to run. */
export async function beginRun(
  world: World,
  { subject, input }: Pick<BegunRun, 'subject' | 'input'>,
): Promise<BegunRun> {
  const key = await openLocalKey(world);
  const begun = {
    id: newId(),
    started_at: new Date().toISOString(),
    receipt_key: randomBytes(32),
    key,
    input,
    subject,
  };
  const statement = intentStatement(subjectOf(subject), {
    run_id: begun.id,
    execution_class: subject.execution_class,
    attempt: 1,
    input: { hmac_sha256: macOf(begun.receipt_key, input) },
    caller: { commitment: commitmentOf(begun) },
    at: begun.started_at,
  });
  const envelope = canonical(signEnvelope(PAYLOAD_TYPE, Buffer.from(canonical(statement)), key.private_key, key.id));
  return { ...begun, intent_sha256: sha256(envelope) };
}

/** Signs the receipt, and keeps it with the trace. Answers where. */
export async function endRun(world: World, run: BegunRun, ending: RunEnding): Promise<LocalRun> {
  const finishedAt = new Date().toISOString();
  const span = spanOf(run, ending, finishedAt);
  const statement = runStatement(subjectOf(run.subject), factsOf(run, ending, finishedAt, span));
  const { key } = run;
  const dsse = signEnvelope(PAYLOAD_TYPE, Buffer.from(canonical(statement)), key.private_key, key.id);
  const logged = await appendToLog(world, Buffer.from(canonical(dsse)), key);
  const receipt: Bundle = { dsse: dsse as Bundle['dsse'], ...logged, jwk: jwkOf(key.public_key) };
  return saveRun(
    world,
    {
      id: run.id,
      ref: run.subject.ref,
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
  { status, reason, output, engine, facts, exit_code = null }: RunEnding,
  finished_at: string,
  span: StoredSpan,
): RunFacts {
  const { granted, hosts, cpu_ms, memory_bytes, processes } = facts;
  const { listing, execution_class } = run.subject;
  const optional: Pick<RunFacts, 'reason' | 'listing' | 'package' | 'packages'> = {};
  if (facts.package !== undefined) optional.package = facts.package;
  if (facts.packages !== undefined && facts.packages.length > 0) optional.packages = facts.packages;
  if (status === 'failed' && reason !== null) optional.reason = reason.slice(0, 100);
  if (listing !== null)
    optional.listing = {
      name: listing.name,
      address_sha256: sha256(listing.address),
    };
  return {
    run_id: run.id,
    execution_class,
    started_at: run.started_at,
    finished_at,
    status,
    exit_code,
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
      ...defined({ resources: resourceFacts({ cpu_ms, memory_bytes, processes }) }),
    },
    signer: LOCAL_SIGNER,
    ...optional,
  };
}

function spanOf({ started_at, input, subject }: BegunRun, ending: RunEnding, finishedAt: string): StoredSpan {
  const { status, facts } = ending;
  const { name, attributes } =
    subject.execution_class === 'mcp' ? toolSpan(subject, input.tool) : scriptSpan(input.tool ?? '', ending);
  return {
    trace_id: randomBytes(16).toString('hex'),
    span_id: randomBytes(8).toString('hex'),
    parent_span_id: null,
    name,
    kind: 'internal',
    started_at,
    duration_ms: Date.parse(finishedAt) - Date.parse(started_at),
    status: status === 'completed' ? 'ok' : 'error',
    attributes: Object.assign(attributes, { [ATTR.run_status]: status }, attributesOf(facts)),
    events: [],
  };
}

type Named = Pick<StoredSpan, 'name' | 'attributes'>;

function toolSpan({ ref }: RunSubject, called: string | null): Named {
  const tool = called ?? ref;
  return {
    name: toolsCall(tool),
    attributes: {
      [ATTR.operation]: 'execute_tool',
      [ATTR.tool_name]: tool,
      [ATTR.mcp_method]: called === null ? 'tools/list' : 'tools/call',
      [ATTR.mcp_transport]: 'stdio',
    },
  };
}

function scriptSpan(entry: string, { engine, exit_code }: RunEnding): Named {
  const attributes: StoredSpan['attributes'] = {};
  if (engine !== null) attributes[ATTR.engine] = engine;
  if (typeof exit_code === 'number') attributes[ATTR.exit_code] = exit_code;
  return { name: runScript(entry), attributes };
}

function attributesOf(facts: BoxFacts): StoredSpan['attributes'] {
  const { isolation, cpu_ms, memory_bytes, hosts, package: one } = facts;
  const attributes: StoredSpan['attributes'] = {
    [ATTR.package_hosts]: hostsReached(hosts),
  };
  if (isolation !== null) attributes[ATTR.isolation] = isolation;
  if (cpu_ms !== null) attributes[ATTR.package_cpu_ms] = cpu_ms;
  if (memory_bytes !== null) attributes[ATTR.package_memory_bytes] = memory_bytes;
  if (one !== undefined) {
    attributes[ATTR.package_purl] = one.purl;
    attributes[ATTR.package_lock] = `sha256:${one.lock_sha256}`;
    attributes[ATTR.package_tree] = `sha256:${one.tree_sha256}`;
  }
  return attributes;
}

const subjectOf = ({ name, sha256 }: RunSubject) => ({ name, digest: { sha256 } });

const canonical = (value: unknown): string => canonicalize(value ?? null) as string;

const macOf = (key: Uint8Array, value: unknown): string =>
  createHmac('sha256', key).update(canonical(value)).digest('hex');

const commitmentOf = (run: Pick<BegunRun, 'key' | 'subject'>): string =>
  createHmac('sha256', run.key.secret)
    .update(JSON.stringify([null, run.subject.name]))
    .digest('hex');
