import { randomBytes } from 'node:crypto';
import { isSkipped } from '#catalog/probes/host.ts';
import { Problem } from '#core/problem/problem.ts';
import { macOf, newReceiptKey, withFiles } from '#runtime/receipts/receipts.ts';
import { OPERATOR } from '#runtime/runs/caller.ts';
import type { Capability, CapabilityRef, RunCaller } from '#runtime/runs/capability.ts';
import { checkInput } from '#runtime/runs/check-input.ts';
import type { Runs } from '#runtime/runs/open-runs.ts';
import { COMPLETED, emptyOutcome, failed, type Outcome, type RunResult } from '#runtime/runs/result.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { SERVICE_CALLER } from '../whose-run.ts';
import { fromSchema, variantsOf } from './nonce-input.ts';

/**
 * One round of check runs of a listing: twice with the same new input, then with another one. Their receipts share a key, so that
 * readers of the log can compare outputs.
 */

const ROUND_RESULTS = ['reproduced', 'differs', 'failed', 'no_input', 'not_runnable'] as const;

export interface Round {
  result: (typeof ROUND_RESULTS)[number];
  detail: string;
}

export interface RoundDeps {
  runs: Pick<Runs, 'resolve' | 'run'>;
  timeout_ms: number;
  /** Hosts that must not be probed. */
  skip: readonly string[];
}

/** No user pays for checks, so listings that use a model are not run. */
const CALLER: RunCaller = {
  ...OPERATOR,
  charge: async () => {
    throw new Error('Check runs do not use a model.');
  },
};
const NONCE_BYTES = 8;
const MOST_TOOLS = 3;
const OUTPUT_BYTES = 256 * 1024;

export async function checkRound(deps: RoundDeps, ref: CapabilityRef, signal: AbortSignal): Promise<Round> {
  const capability = await find(deps, ref);
  if ('result' in capability) return capability;
  const { execution_class } = capability;
  if (execution_class === 'prompt') return not('It requires a language model, whose output is not reproducible.');
  const unavailable = await capability.whyUnavailable();
  if (unavailable !== null) return not(unavailable.detail);
  const { server } = capability;
  if (server !== undefined && isSkipped(deps.skip, new URL(server.url).host))
    return not('Its host is excluded from check runs.');
  const round = { ...deps, key: newReceiptKey(), signal };
  return execution_class === 'mcp' ? ofServer(round, ref, capability) : ofScript(round, capability);
}

interface RoundNow extends RoundDeps {
  key: Buffer;
  signal: AbortSignal;
}

const not = (detail: string): Round => ({ result: 'not_runnable', detail });

async function find({ runs }: RoundDeps, ref: CapabilityRef): Promise<Capability | Round> {
  try {
    return await runs.resolve(ref, CALLER);
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    return not(error.message);
  }
}

const nonce = (): string => randomBytes(NONCE_BYTES).toString('hex');

async function ofScript(round: RoundNow, capability: Capability): Promise<Round> {
  const first = await inputFor(capability, nonce());
  const second = await inputFor(capability, nonce());
  if (first === undefined || second === undefined)
    return { result: 'no_input', detail: 'It has neither an example nor a schema to generate an input from.' };
  const runs = [await once(round, capability, first), await once(round, capability, first)] as const;
  return verdict(runs, await once(round, capability, second));
}

/** The first valid variant of its example or of a value generated from its schema. */
async function inputFor(capability: Capability, word: string): Promise<unknown> {
  const { skill, input_schema } = capability;
  const example = skill === undefined ? undefined : exampleOf(skill);
  const made = input_schema === null ? undefined : fromSchema(input_schema, word);
  const candidates = [...variantsOf(example, word), ...variantsOf(made, word), ...(made === undefined ? [] : [made])];
  for (const input of candidates) if (await fits(capability, input)) return input;
  return undefined;
}

/** For third-party skills, only the file is available. */
function exampleOf({ example, contents }: Skill): unknown {
  if (example !== null) return example.input;
  try {
    return JSON.parse(Buffer.from(contents.get('assets/example.json') ?? '').toString('utf8'));
  } catch {
    return undefined;
  }
}

async function fits(capability: Capability, input: unknown): Promise<boolean> {
  try {
    await checkInput(capability, input, CALLER.share);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) return false;
    throw error;
  }
}

/** Lists the tools twice; then calls one read-only tool, or lists them once more. */
async function ofServer(round: RoundNow, ref: CapabilityRef, server: Capability): Promise<Round> {
  const asking = listing(round, ref, server);
  const word = { nonce: nonce() };
  const runs = [await once(round, asking, word), await once(round, asking, word)] as const;
  const readers = (server.tools ?? []).filter(({ read_only }) => read_only).slice(0, MOST_TOOLS);
  for (const { name } of readers) {
    const called = await callReader(round, ref, name);
    if (called?.status === 'completed') return verdict(runs, called);
  }
  return verdict(runs, await once(round, asking, { nonce: nonce() }));
}

async function callReader(round: RoundNow, ref: CapabilityRef, tool: string): Promise<Ran | null> {
  const capability = await round.runs.resolve(ref, CALLER, { input: { tool } });
  const properties = (capability.input_schema?.properties ?? {}) as { arguments?: unknown };
  const args = fromSchema({ type: 'object', ...(properties.arguments as object | undefined) }, nonce());
  const input = { tool, arguments: args ?? {} };
  return args !== undefined && (await fits(capability, input)) ? once(round, capability, input) : null;
}

/** Listing a server's tools as a runnable capability. */
const listing = ({ runs }: RoundNow, ref: CapabilityRef, server: Capability): Capability => ({
  ...server,
  run: async (): Promise<Outcome> => {
    const again = await runs.resolve(ref, CALLER);
    const unavailable = await again.whyUnavailable();
    if (unavailable !== null) return emptyOutcome(failed(unavailable.reason, unavailable.detail));
    return { ...emptyOutcome(COMPLETED, { network: 'guarded' }), output: { tools: again.digest } };
  },
});

interface Ran extends Pick<RunResult, 'status' | 'error'> {
  output_mac: string;
}

async function once(round: RoundNow, capability: Capability, input: unknown): Promise<Ran> {
  const { key: receipt_key, signal: stopping, runs, timeout_ms } = round;
  const { result } = await runs.run(capability, {
    input,
    caller: CALLER,
    limits: { timeout_ms, output_bytes: OUTPUT_BYTES },
    record_content: false,
    stopping,
    receipt: { receipt_key, user_id: SERVICE_CALLER },
  });
  const { status, error } = result;
  return { status, error, output_mac: macOf(receipt_key, withFiles(result.output, result.output_files)) };
}

function verdict([one, two]: readonly [Ran, Ran], other: Ran): Round {
  const bad = [one, two, other].find(({ status }) => status !== 'completed');
  if (bad !== undefined) return { result: 'failed', detail: bad.error ?? 'A run failed.' };
  if (one.output_mac !== two.output_mac)
    return { result: 'differs', detail: 'The same input produced different outputs.' };
  return {
    result: 'reproduced',
    detail: 'The same input produced identical output twice, and a second input succeeded.',
  };
}
