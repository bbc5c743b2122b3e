import type { CallToolResult, Client, Tool } from '@modelcontextprotocol/client';
import { defined } from '#core/defined.ts';
import { type End, endOf } from '#core/end.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { plain } from '#core/tools/words.ts';
import { failureOf, isWorthAnotherTransport, type McpFailure } from './failure.ts';
import { openClient } from './open-client.ts';
import { type AskPerson, MOST_QUESTIONS, QUESTION_MS, type Questions } from './questions.ts';
import { requiredPages } from './required-pages.ts';
import { type ContentVerbs, contentVerbs } from './server-content.ts';
import { newLedger, sessionFetch, WORK_HEADER } from './session-fetch.ts';
import type { McpTransport, McpWay, RemoteTarget } from './target.ts';
import { listingOf, NONE_LEFT_OUT, type ToolListing } from './tool-listing.ts';
import type { ToolNews } from './tool-news.ts';

/** A session with an untrusted MCP server: both protocol eras, Streamable HTTP and the older SSE transport. */

export interface McpLimits {
  /** From the first to the last request. */
  timeout_ms: number;
  /** Of all responses together. */
  max_bytes: number;
}

export interface McpSession extends ContentVerbs {
  /** Such as `2025-11-25`. */
  protocol_version: string;
  /** The transport that was used. */
  transport: McpWay;
  server: { name: string; version: string } | null;
  /** See `ToolNews`. Null in a session that is opened for one piece of work. */
  unchanged(): object | null;
  /** Lists every tool, page by page. The first of a name counts. */
  listTools(): Promise<ToolListing>;
  callTool(call: McpCall): Promise<CallToolResult>;
}

export interface McpCall {
  /** A tool from `listTools`. */
  tool: Tool;
  arguments: Record<string, unknown>;
  /** W3C trace context, as in a header. */
  traceparent?: string | undefined;
  /** Asks the person behind the call for the server; without it, questions are declined. The call's timeout waits meanwhile. */
  on_question?: AskPerson | undefined;
  /** Called when the server reports progress. */
  on_progress?: ((progress: McpProgress) => void) | undefined;
}

export interface McpProgress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

export type McpAnswer<T> = { ok: true; value: T } | { ok: false; failure: McpFailure };
export type McpWork<T> = (session: McpSession) => Promise<T>;

/**
 * Opens a session, does the work and closes the session. Failures of the server are returned; an abort by the caller's
 * signal throws the signal's reason.
 */
export async function withMcpSession<T>(
  fetch: OutboundFetch,
  target: RemoteTarget,
  limits: McpLimits,
  signal: AbortSignal | null,
  work: McpWork<T>,
): Promise<McpAnswer<T>> {
  const deadline = endOf({ timeout_ms: limits.timeout_ms, with: [signal] });
  const tried = (transport: McpTransport) =>
    tryTransport(fetch, { ...target, transport }, limits, { deadline, signal }, work);
  try {
    const answer = await tried(target.transport);
    if (answer.ok || !answer.elsewhere) return answer;
    const second = await tried(target.transport === 'sse' ? 'streamable-http' : 'sse');
    // If both transports fail, the first failure is reported, unless the second requires authorization.
    return second.ok || second.failure.reason === 'auth_needed' ? second : answer;
  } finally {
    deadline.release();
  }
}

/** Reason for closing what is left of a finished session. */
export const OVER = new Error('session closed');

type Tried<T> = { ok: true; value: T } | { ok: false; failure: McpFailure; elsewhere: boolean };

async function tryTransport<T>(
  fetch: OutboundFetch,
  target: RemoteTarget,
  limits: McpLimits,
  { deadline, signal }: { deadline: End; signal: AbortSignal | null },
  work: McpWork<T>,
): Promise<Tried<T>> {
  const end = endOf({ with: [deadline.signal] });
  const ledger = newLedger(limits.max_bytes, end.signal, end.now);
  const way = sessionFetch({ fetch, headers: target.headers, ledgerOf: () => ledger });
  let client: Client | null = null;
  let connected = false;
  try {
    const value = await untilAborted(end.signal, async () => {
      const options = { signal: end.signal, timeout: limits.timeout_ms };
      client = await openClient(target, way, options);
      connected = true;
      return work(
        sessionOf(client, { ...options, transport: target.transport, questions: target.questions, end: deadline }),
      );
    });
    return { ok: true, value };
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const failure = failureOf(error, ledger.met, {
      connected,
      timed_out: deadline.isLate(),
      timeout_ms: limits.timeout_ms,
    });
    return { ok: false, failure, elsewhere: !connected && isWorthAnotherTransport(failure, ledger.met) };
  } finally {
    // A client that is still connecting ends with its requests.
    end.now(OVER);
    end.release();
    await (client as Client | null)?.close().catch(() => {});
  }
}

interface SessionOptions {
  signal: AbortSignal;
  timeout: number;
  transport: McpWay;
  work?: string;
  /** Of the client; absent where it tells servers that nobody can answer. */
  questions?: Questions | undefined;
  /** What ends the work, and waits while a person answers. */
  end: End;
  news?: ToolNews | undefined;
}

/** The session as work uses it. `work` selects the accounting of its requests. */
export function sessionOf(
  client: Client,
  { work, transport, questions, end, news, ...limits }: SessionOptions,
): McpSession {
  const options = { ...limits, ...defined({ headers: work === undefined ? undefined : { [WORK_HEADER]: work } }) };
  const server = client.getServerVersion();
  return {
    ...contentVerbs(client, options),
    transport,
    protocol_version: client.getNegotiatedProtocolVersion() ?? '',
    server: server === undefined ? null : { name: named(server.name), version: named(server.version) },
    unchanged: () => news?.unchanged() ?? null,
    listTools: async () => {
      // Otherwise the client would print a line to standard output.
      if (client.getServerCapabilities()?.tools === undefined) return { tools: [], left_out: NONE_LEFT_OUT };
      const { tools } = await client.listTools(undefined, { ...options, cacheMode: 'bypass' });
      return listingOf(tools);
    },
    callTool: (call) => {
      const _meta = call.traceparent === undefined ? {} : { _meta: { traceparent: call.traceparent } };
      const params = { name: call.tool.name, arguments: call.arguments, ..._meta };
      const { on_progress: onprogress, on_question } = call;
      const progress = onprogress === undefined ? {} : { onprogress };
      // The client's own timeout must not end a call that waits for a person; the work's deadline does.
      const waits = on_question === undefined ? {} : { timeout: options.timeout + MOST_QUESTIONS * QUESTION_MS };
      const send = () => client.callTool(params, { ...options, ...progress, ...waits, toolDefinition: call.tool });
      if (questions === undefined) return send();
      const ask = on_question === undefined ? undefined : pausing(end, on_question);
      return questions.during(ask, () => sendAfterLinks(send, questions.elicit));
    },
  };
}

/**
 * A server of 2025 may refuse a call until its user has opened a page, and has done nothing then: the call is sent again after each
 * page that was accepted. `elicit` limits how often.
 */
async function sendAfterLinks<T>(send: () => Promise<T>, elicit: Questions['elicit']): Promise<T> {
  for (;;)
    try {
      return await send();
    } catch (error) {
      const pages = requiredPages(error);
      if (pages.length === 0) throw error;
      for (const page of pages) if ((await elicit(page)).action !== 'accept') throw error;
    }
}

const pausing =
  (end: End, ask: AskPerson): AskPerson =>
  async (question, ended) => {
    const goOn = end.pause();
    try {
      return await ask(question, ended);
    } finally {
      goOn();
    }
  };

const MOST_NAME_CHARS = 200;

/** The name is stored and shown as long as the server is known. */
const named = (name: unknown): string => plain(String(name ?? ''), MOST_NAME_CHARS);

/** Rejects when the signal aborts, whatever the client still waits for. */
export function untilAborted<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void act()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
