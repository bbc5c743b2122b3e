import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { STDIO_LIMITS, type StdioViolation, stdioTransport } from '../../../src/core/mcp/stdio-transport.ts';
import { secretValues } from '../../../src/core/text/secret-values.ts';
import { egressOf } from '../../../src/runtime/packaged/host-grants.ts';
import { factsOfBox } from '../../../src/runtime/packaged/packaged-box.ts';
import type { PackagedServer } from '../../../src/runtime/packaged/start-server.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { explained } from './explain.ts';
import { type PreparedServer, withPrepared } from './prepare.ts';
import { type BegunRun, beginRun, endRun, factsOfPackage, packageSubject, type RunEnding } from './receipt.ts';
import { readServer, type StoredServer } from './servers.ts';
import { readSettings } from './settings.ts';

/**
 * `capstan serve-local`: a client starts it, and it starts the server in a box and passes every message on, so that all of
 * the protocol works. Each call of a tool gets a receipt and a trace on this machine.
 */

/** The client's session may last for days, so that only single messages are limited. */
const LIMITS = { ...STDIO_LIMITS, max_bytes: Number.MAX_SAFE_INTEGER };

export const serveLocal = (context: Context, name: string): Promise<void> =>
  explained(async () => {
    const stored = await readServer(context.world, name);
    const config = { ...readSettings(context.world), ...stored.registries };
    await withPrepared(context, { config, target: stored.target, on_step: () => {} }, (prepared) => {
      refuseChanged(stored, prepared);
      return pass(context, stored, prepared);
    });
  });

function refuseChanged({ name, ref, tree_sha256 }: StoredServer, { prepared }: PreparedServer): void {
  if (prepared.tree_sha256 === tree_sha256) return;
  throw new Failure('cli.changed', `The files of ${name} changed since it was connected, so it was not started.`, {
    fix: `A dependency may have a new release. To accept it: capstan connect --local ${ref} --name ${name}`,
  });
}

type Message = Partial<Record<'id' | 'method' | 'params' | 'result' | 'error', unknown>>;

async function pass({ world, say }: Context, stored: StoredServer, prepared: PreparedServer): Promise<void> {
  const { arguments: args, env, secrets, hosts, endpoint, folders } = stored.target;
  const ending = new AbortController();
  const signal = AbortSignal.any([world.signal, ending.signal]);
  const server = await prepared.runtime.start(
    prepared.prepared,
    { args, env, secrets, endpoint, folders, egress: egressOf(hosts) },
    signal,
  );
  const { scrubJson } = secretValues(secrets);
  const receipts = openReceipts(world, stored, prepared, server);
  const transport = stdioTransport(server, LIMITS);
  const over = Promise.withResolvers<string | null>();
  transport.onmessage = (message) => {
    receipts.answered(message as Message);
    world.stdout.write(`${JSON.stringify(scrubJson(message))}\n`);
  };
  transport.onerror = (error) => say(`${stored.name}: ${(error as StdioViolation).message}`);
  transport.onclose = () => void server.gone.then(({ message }) => over.resolve(message));
  world.signal.addEventListener('abort', () => over.resolve(null), { once: true });
  await transport.start();
  void takeInput(world.stdin, async (message) => {
    await receipts.asked(message as Message);
    // Where the server has ended, `onclose` says why.
    await transport.send(message).catch(() => {});
  }).then(
    () => over.resolve(null),
    () => over.resolve(null),
  );
  const why = await over.promise;
  world.stdin.destroy?.();
  await transport.close();
  ending.abort();
  await server.gone;
  await receipts.close();
  if (why !== null)
    throw new Failure('server.ended', `${stored.name} has ended: ${why}`, {
      fix: 'See capstan local runs, and check its values and hosts.',
    });
}

/** A line each, in their order. */
async function takeInput(
  stdin: AsyncIterable<Buffer | string>,
  take: (message: JSONRPCMessage) => Promise<void>,
): Promise<void> {
  let pending: Buffer[] = [];
  for await (const chunk of stdin) {
    let rest = Buffer.from(chunk);
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      const message = messageOf(Buffer.concat([...pending, rest.subarray(0, end)]).toString('utf8'));
      pending = [];
      rest = rest.subarray(end + 1);
      if (message !== null) await take(message);
    }
    if (rest.length > 0) pending.push(rest);
  }
}

/** Null for a line that is no message; a client's other messages are passed on all the same. */
function messageOf(line: string): JSONRPCMessage | null {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === 'object' && message !== null ? (message as JSONRPCMessage) : null;
  } catch {
    return null;
  }
}

interface Receipts {
  /** What the client sends. Resolves when the intent of a call is signed. */
  asked(message: Message): Promise<void>;
  /** What the server sends. */
  answered(message: Message): void;
  /** Calls that have no answer get a receipt that says so. */
  close(): Promise<void>;
}

function openReceipts(
  world: Context['world'],
  stored: StoredServer,
  prepared: PreparedServer,
  server: Pick<PackagedServer, 'usage' | 'hosts'>,
): Receipts {
  const begun = new Map<unknown, BegunRun>();
  const { scrubJson } = secretValues(stored.target.secrets);
  let engine: string | null = null;
  let saving: Promise<unknown> = Promise.resolve();
  const end = (run: BegunRun, how: Pick<RunEnding, 'status' | 'reason' | 'output'>): void => {
    const facts = factsOfBox({ ...prepared, hosts: stored.target.hosts }, server);
    // In turn: the log takes one at a time anyway.
    saving = saving.then(() => endRun(world, run, { ...how, engine, facts: factsOfPackage(facts) })).catch(() => {});
  };
  const take = (id: unknown): BegunRun | undefined => {
    const run = begun.get(id);
    begun.delete(id);
    return run;
  };
  const subject = packageSubject(stored, stored);
  return {
    asked: async ({ id, method, params }) => {
      const { name, arguments: args = {}, requestId } = (params ?? {}) as Record<string, unknown>;
      if (method === 'notifications/cancelled') {
        const run = take(requestId);
        if (run !== undefined) end(run, { status: 'cancelled', reason: null, output: null });
      }
      if (method !== 'tools/call' || typeof name !== 'string' || id === undefined) return;
      const input = { tool: name, arguments: scrubJson(args) };
      begun.set(id, await beginRun(world, { subject, input }));
    },
    answered: ({ id, method, result, error }) => {
      if (method !== undefined) return;
      const { protocolVersion, isError } = (result ?? {}) as Record<string, unknown>;
      if (typeof protocolVersion === 'string') engine ??= `mcp ${protocolVersion}`;
      const run = take(id);
      if (run === undefined) return;
      const isFailed = error !== undefined || isError === true;
      const reason = error !== undefined ? 'tool_refused' : isFailed ? 'tool_error' : null;
      end(run, { status: isFailed ? 'failed' : 'completed', reason, output: scrubJson(result ?? error ?? null) });
    },
    close: async () => {
      for (const id of [...begun.keys()])
        end(take(id) as BegunRun, { status: 'interrupted', reason: null, output: null });
      await saving;
    },
  };
}
