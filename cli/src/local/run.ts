import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { McpSession } from '../../../src/core/mcp/session.ts';
import type { PackageTarget } from '../../../src/core/mcp/target.ts';
import { plainName } from '../../../src/core/mcp/tool.ts';
import { secretValues } from '../../../src/core/text/secret-values.ts';
import { factsOfBox, type OpenedBox } from '../../../src/runtime/packaged/packaged-box.ts';
import { packageRefOf } from '../../../src/runtime/packages/package-ref.ts';
import { failedCall, outcomeOf, shownTools } from '../../../src/runtime/runs/mcp-output.ts';
import { emptyOutcome, failed, type Outcome } from '../../../src/runtime/runs/result.ts';
import type { Context } from '../context.ts';
import { cut, safe, table } from '../output.ts';
import type { Far } from '../progress.ts';
import { readInput } from '../read-input.ts';
import { withDeclared } from './declared-settings.ts';
import { explained } from './explain.ts';
import { type PreparedServer, startBox, stepsOf, withPrepared } from './prepare.ts';
import {
  type BegunRun,
  beginRun,
  endRun,
  endUnstarted,
  factsOfPackage,
  packageSubject,
  unfetchedSubject,
} from './receipt.ts';
import type { LocalRun } from './runs.ts';
import { sayEnd } from './say-end.ts';
import { type LocalServer, serverOf } from './server-of.ts';
import { type GivenStart, targetOf } from './values.ts';

/** `capstan run --local`: one call of a packaged server, in a box on this machine. */

interface LocalRunAsked extends GivenStart {
  ref: string;
  tool: string | undefined;
  input: string | undefined;
  package: number | undefined;
  receipt: string | undefined;
}

/** What a call of a tool may take, and how much it may answer. */
const CALL_MS = 300_000;
const MOST_BYTES = 64 * 1_048_576;

interface Ran {
  run: LocalRun;
  outcome: Outcome;
  facts: ReturnType<typeof factsOfBox>;
}

export const runLocal = (context: Context, asked: LocalRunAsked): Promise<void> =>
  explained(async () => {
    const { server: listed, config } = await serverOf(context, asked.ref, asked.package);
    const written = await readInput(context.world, asked.input);
    const input = { tool: asked.tool ?? null, arguments: written ?? {} };
    const server = await withDeclared(context, listed, config).catch(async (error) => {
      await recordUnfetched(context, listed, input, error);
      throw error;
    });
    const target = await targetOf(context, server, asked);
    const ran = await context.during(server.name, (tell) => {
      const on_step = stepsOf(server.name, tell);
      let isPrepared = false;
      return withPrepared(context, { config, target, on_step }, (prepared) => {
        isPrepared = true;
        return runOnce(context, { server, target, input, prepared, tell });
      }).catch(async (error) => {
        if (!isPrepared) await recordUnfetched(context, server, input, error);
        throw error;
      });
    });
    if (asked.receipt !== undefined) await copyReceipt(context, ran.run, asked.receipt);
    shown(context, ran);
  });

/** Whatever a user asked to run has a receipt, also if its package could not be fetched, or its user ended that. */
async function recordUnfetched(
  { world }: Context,
  server: LocalServer,
  input: BegunRun['input'],
  error: unknown,
): Promise<void> {
  const { purl } = packageRefOf(server.launch.package);
  const begun = await beginRun(world, { subject: unfetchedSubject(server, purl), input });
  await endUnstarted(world, begun, error);
}

interface Call {
  server: LocalServer;
  target: PackageTarget;
  input: BegunRun['input'];
  prepared: PreparedServer;
  tell(far: Far): void;
}

async function runOnce({ world }: Context, call: Call): Promise<Ran> {
  const { server, target, input, prepared, tell } = call;
  const { purl } = prepared.prepared.ref;
  const { tree_sha256 } = prepared.prepared;
  const begun = await beginRun(world, { subject: packageSubject(server, { purl, tree_sha256 }), input });
  const before = factsOfBox({ ...prepared, hosts: target.hosts }, null);
  let opened: OpenedBox | null = null;
  try {
    opened = await startBox(prepared, target, { signal: world.signal, on_step: stepsOf(server.name, tell) });
    if (!opened.ok) return await ended(world, begun, failedCall(opened.failure), opened.facts);
    const { session, explained: explain, facts } = opened.box;
    tell({ label: `${server.name}: ${input.tool ?? 'listing its tools'}` });
    const limits = { timeout_ms: CALL_MS, max_bytes: MOST_BYTES };
    const answer = await session.work(limits, world.signal, (mcp) => callTool(mcp, input, tell));
    const outcome = answer.ok ? scrubbed(answer.value, target) : failedCall(explain(answer.failure));
    const seen = facts();
    await session.close();
    return await ended(world, begun, outcome, seen);
  } catch (error) {
    // What had begun has its receipt, also where its user ended it.
    if (world.signal.aborted) {
      const facts = opened?.ok === true ? opened.box.facts() : before;
      await endRun(world, begun, {
        status: 'cancelled',
        reason: null,
        output: null,
        engine: null,
        facts: factsOfPackage(facts),
      });
    }
    throw error;
  }
}

/** The server was given secrets, and its answer may hold them. */
function scrubbed({ output, error, ...outcome }: Outcome, { secrets }: PackageTarget): Outcome {
  const { scrub, scrubJson } = secretValues(secrets);
  return { ...outcome, output: scrubJson(output), error: error === null ? null : scrub(error) };
}

async function callTool(
  mcp: McpSession,
  { tool: named, arguments: args }: BegunRun['input'],
  tell: (far: Far) => void,
): Promise<Outcome> {
  const { protocol_version } = mcp;
  const listing = await mcp.listTools();
  const { tools } = listing;
  const answered = (result: Parameters<typeof outcomeOf>[0]['result']): Outcome =>
    outcomeOf({ result, protocol_version, output_bytes: MOST_BYTES });
  if (named === null) return answered(shownTools(listing));
  const tool = tools.find(({ name }) => name === named);
  if (tool === undefined) {
    const names = tools.slice(0, 20).map(({ name }) => plainName(name));
    return emptyOutcome(
      failed('tool_unknown', `The server has no tool ${named}. It has: ${names.join(', ') || 'none'}.`),
    );
  }
  const on_progress = ({
    progress,
    total,
    message,
  }: {
    progress: number;
    total?: number | undefined;
    message?: string | undefined;
  }) => tell({ label: message ?? named, done: progress, total: total ?? null });
  return answered(await mcp.callTool({ tool, arguments: args as Record<string, unknown>, on_progress }));
}

async function ended(world: Context['world'], begun: BegunRun, outcome: Outcome, facts: Ran['facts']): Promise<Ran> {
  const { status, reason, output, environment } = outcome;
  const ending = {
    status: status === 'rejected' ? 'failed' : status,
    reason,
    output,
    engine: environment.engine,
    facts: factsOfPackage(facts),
  } as const;
  return { run: await endRun(world, begun, ending), outcome, facts };
}

export async function copyReceipt({ world }: Pick<Context, 'world'>, run: LocalRun, to: string): Promise<void> {
  const file = resolve(world.cwd, to);
  await mkdir(dirname(file), { recursive: true });
  await copyFile(run.receipt, file);
}

function shown(context: Context, { run, outcome, facts }: Ran): void {
  const { purl, lock_sha256, tree_sha256, isolation, hosts, cpu_ms, memory_bytes } = facts;
  const result = {
    id: run.id,
    ref: run.ref,
    tool: run.tool,
    status: outcome.status,
    output: outcome.output ?? null,
    error: outcome.error,
    package: { purl, lock_sha256, tree_sha256 },
    isolation,
    hosts,
    resources: { cpu_ms, memory_bytes },
    receipt: run.receipt,
  };
  context.show(result, () => outputText(run.tool, outcome.output));
  sayEnd(context, { what: { package: purl }, isolation, hosts, run, verdict: outcome });
}

function outputText(tool: string | null, output: unknown): string {
  if (output === null || output === undefined) return '';
  if (tool === null) {
    const { tools } = output as { tools: { name: string; description: string }[] };
    return table(tools.map(({ name, description }) => [name, cut(description, 80)]));
  }
  return typeof output === 'string' ? safe(output) : JSON.stringify(output, null, 2);
}
