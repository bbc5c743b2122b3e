import type { Client } from '@modelcontextprotocol/client';
import { type End, endOf } from '#core/end.ts';
import { Problem } from '#core/problem/problem.ts';
import { failureOf, type McpFailure } from './failure.ts';
import { type HeldSession, watchTools } from './held-session.ts';
import { newClient } from './open-client.ts';
import { openQuestions, type Questions } from './questions.ts';
import { type McpAnswer, type McpLimits, OVER, sessionOf, untilAborted } from './session.ts';
import type { Met } from './session-fetch.ts';
import {
  STDIO_LIMITS,
  type StdioLimits,
  type StdioStreams,
  StdioViolation,
  stdioTransport,
} from './stdio-transport.ts';
import { markBrokenTools } from './tool-listing.ts';
import { openToolNews, type ToolNews } from './tool-news.ts';

/** A session with an MCP server that runs here as a process. */

/** How the process ended. */
export interface StdioEnd {
  reason: 'exited' | 'killed' | 'out_of_memory' | 'failed';
  /** One sentence for users, without secrets. */
  message: string;
}

export interface StdioServer extends StdioStreams {
  gone: Promise<StdioEnd>;
}

interface StdioOptions {
  /** Starts the process. Called once; the process ends with the session. */
  start(signal: AbortSignal): Promise<StdioServer>;
  /** For the start and the handshake together. */
  limits: McpLimits;
  streams?: StdioLimits;
  on_tools_changed(): void;
}

const NOTHING_MET: Met = { status: null, challenge: null, problem: null };

/**
 * Starts the server and opens a session. A failure of the server is returned with its reason; an abort by the caller's
 * signal throws the signal's reason, and a Problem of `start` is thrown. In all cases no process is left.
 */
export async function openStdioSession(
  { start, limits, streams = STDIO_LIMITS, on_tools_changed }: StdioOptions,
  signal: AbortSignal | null,
): Promise<McpAnswer<HeldSession>> {
  const ending = new AbortController();
  const end = endOf({ timeout_ms: limits.timeout_ms, with: [ending.signal, signal] });
  let server: StdioServer | null = null;
  let ended: StdioEnd | null = null;
  try {
    server = await untilAborted(end.signal, () => startOnce(start, end.signal));
    void server.gone.then((how) => {
      ended = how;
    });
    const questions = openQuestions();
    const client = await newClient(questions.elicit);
    // The client hears nothing of it while it negotiates the version.
    const transport = stdioTransport(server, streams, (violation) => ending.abort(violation));
    const options = { signal: end.signal, timeout: limits.timeout_ms };
    await untilAborted(end.signal, () => client.connect(transport, options));
    markBrokenTools(client, (await import('@modelcontextprotocol/client')).specTypeSchemas.Tool);
    const news = openToolNews();
    // Notifications of 2025 come on the same pipe as everything else.
    if (client.getProtocolEra() !== 'modern') news.hear(true);
    watchTools(client, { news, on_tools_changed, signal: ending.signal });
    client.onclose = () => ending.abort(new StdioViolation('the server has ended'));
    return { ok: true, value: heldSession({ client, questions, server, ending, news }) };
  } catch (error) {
    server?.kill();
    if (server !== null) ended = await server.gone;
    if (signal?.aborted) throw signal.reason;
    // Nothing was started, so it is no failure of the server.
    if (server === null && error instanceof Problem) throw error;
    return { ok: false, failure: startFailure(error, ended, end, limits.timeout_ms) };
  } finally {
    end.release();
  }
}

/** If the caller has stopped waiting when the process starts, it is killed at once. */
async function startOnce(start: StdioOptions['start'], signal: AbortSignal): Promise<StdioServer> {
  const server = await start(signal);
  if (signal.aborted) server.kill();
  return server;
}

interface Held {
  client: Client;
  questions: Questions;
  server: StdioServer;
  ending: AbortController;
  news: ToolNews;
}

function heldSession({ client, questions, server, ending, news }: Held): HeldSession {
  let closing: Promise<void> | undefined;
  return {
    ended: ending.signal,
    work: async (limits, signal, work) => {
      const end = endOf({ timeout_ms: limits.timeout_ms, with: [ending.signal, signal] });
      const options = {
        signal: end.signal,
        timeout: limits.timeout_ms,
        transport: 'stdio',
        questions,
        end,
        news,
      } as const;
      try {
        return { ok: true, value: await untilAborted(end.signal, () => work(sessionOf(client, options))) };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        const { timeout_ms } = limits;
        if (ending.signal.aborted) return { ok: false, failure: endFailure(await server.gone, ending.signal.reason) };
        const circumstances = { connected: true, timed_out: end.isLate(), timeout_ms };
        return { ok: false, failure: failureOf(error, NOTHING_MET, circumstances) };
      } finally {
        end.now(OVER);
        end.release();
      }
    },
    close: () => {
      closing ??= client
        .close()
        .catch(() => {})
        .finally(() => {
          server.kill();
          ending.abort(new StdioViolation('closed'));
        });
      return closing;
    },
  };
}

function startFailure(error: unknown, ended: StdioEnd | null, end: End, timeout_ms: number): McpFailure {
  const late = end.isLate();
  if (!late && error instanceof StdioViolation) return failure('not_mcp', error.message);
  if (!late && ended?.reason === 'out_of_memory') return failure('out_of_memory', plainEnd(ended));
  if (!late && ended !== null && ended.reason !== 'killed') return failure('start_failed', plainEnd(ended));
  return failureOf(error, NOTHING_MET, { connected: false, timed_out: late, timeout_ms });
}

function endFailure(ended: StdioEnd, why: unknown): McpFailure {
  if (ended.reason === 'out_of_memory') return failure('out_of_memory', plainEnd(ended));
  if (why instanceof StdioViolation && ended.reason === 'killed') return failure('too_large', why.message);
  return failure('broken', plainEnd(ended));
}

/** Without its full stop, as in all details of failures. */
const plainEnd = ({ message }: StdioEnd): string => message.replace(/\.$/, '');

const failure = (reason: McpFailure['reason'], detail: string): McpFailure => ({
  reason,
  detail,
  code: null,
  status: null,
  challenge: null,
  guard: null,
  is_stale: false,
});
