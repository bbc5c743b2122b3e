import type { Client } from '@modelcontextprotocol/client';
import { endOf } from '#core/end.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { failureOf, isWorthAnotherTransport } from './failure.ts';
import { openClient } from './open-client.ts';
import { openQuestions, type Questions } from './questions.ts';
import { type McpAnswer, type McpLimits, type McpWork, OVER, sessionOf, untilAborted } from './session.ts';
import { type Ledger, newLedger, sessionFetch } from './session-fetch.ts';
import type { RemoteTarget } from './target.ts';
import { openToolNews, type ToolNews } from './tool-news.ts';

/** A session that stays open for several pieces of work, each with its own limits. */
export interface HeldSession {
  /** Like `withMcpSession`, in the open session. */
  work<T>(limits: McpLimits, signal: AbortSignal | null, work: McpWork<T>): Promise<McpAnswer<T>>;
  /** Aborts when the session can no longer be used. */
  ended: AbortSignal;
  /** Notifies the server and waits briefly for its response. */
  close(): Promise<void>;
}

export interface HeldOptions {
  fetch: OutboundFetch;
  target: RemoteTarget;
  /** Limits of opening it. The byte limit also covers what the server pushes unasked. */
  limits: McpLimits;
  /** Called when the server reports that its tools have changed. */
  on_tools_changed(): void;
}

/** `elsewhere`: the older transport may work. */
export type Opened = { ok: true; session: HeldSession } | (McpAnswer<never> & { ok: false; elsewhere: boolean });

const GOODBYE_MS = 2_000;

export async function openHeldSession({ fetch, target, limits, on_tools_changed }: HeldOptions): Promise<Opened> {
  const ending = new AbortController();
  const own = newLedger(limits.max_bytes, ending.signal, (problem) => ending.abort(problem));
  const ledgers = new Map<string, Ledger>();
  const news = openToolNews();
  const way = sessionFetch({
    fetch,
    headers: target.headers,
    ledgerOf: (work) => (work === null ? own : (ledgers.get(work) ?? own)),
    on_channel: news.hear,
  });
  const end = endOf({ timeout_ms: limits.timeout_ms, with: [ending.signal] });
  const { signal } = end;
  const questions = openQuestions();
  try {
    const opening = openClient({ ...target, questions, transport: 'streamable-http' }, way, {
      signal,
      timeout: limits.timeout_ms,
    });
    const client = await untilAborted(signal, () => opening).catch((error) => {
      opening.then((late) => late.close()).catch(() => {});
      throw error;
    });
    watchTools(client, { news, on_tools_changed, signal: ending.signal });
    client.onclose = () => ending.abort(new Error('closed'));
    return { ok: true, session: heldSession({ client, questions, ledgers, ending, news }) };
  } catch (error) {
    ending.abort();
    const { timeout_ms } = limits;
    const failure = failureOf(error, own.met, { connected: false, timed_out: end.isLate(), timeout_ms });
    return { ok: false, failure, elsewhere: isWorthAnotherTransport(failure, own.met) };
  } finally {
    end.release();
  }
}

interface Held {
  client: Client;
  questions: Questions;
  ledgers: Map<string, Ledger>;
  ending: AbortController;
  news: ToolNews;
}

function heldSession({ client, questions, ledgers, ending, news }: Held): HeldSession {
  let count = 0;
  let closed: Promise<void> | undefined;
  return {
    ended: ending.signal,
    work: async (limits, signal, work) => {
      const name = String(count++);
      const end = endOf({ timeout_ms: limits.timeout_ms, with: [ending.signal, signal] });
      const ledger = newLedger(limits.max_bytes, end.signal, end.now);
      ledgers.set(name, ledger);
      const options = {
        signal: end.signal,
        timeout: limits.timeout_ms,
        transport: 'streamable-http',
        work: name,
        questions,
        end,
        news,
      } as const;
      try {
        return { ok: true, value: await untilAborted(end.signal, () => work(sessionOf(client, options))) };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        const { timeout_ms } = limits;
        return {
          ok: false,
          failure: failureOf(error, ledger.met, { connected: true, timed_out: end.isLate(), timeout_ms }),
        };
      } finally {
        end.now(OVER);
        end.release();
        ledgers.delete(name);
      }
    },
    close: () => {
      closed ??= goodbye(client, ending);
      return closed;
    },
  };
}

async function goodbye(client: Client, ending: AbortController): Promise<void> {
  const { transport } = client as { transport?: { terminateSession?(): Promise<void> } };
  const said = transport?.terminateSession?.().catch(() => {});
  await Promise.race([said, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
  await client.close().catch(() => {});
  ending.abort(new Error('closed'));
}

interface Watching {
  news: ToolNews;
  on_tools_changed(): void;
  signal: AbortSignal;
}

/** Servers of 2025 notify unasked; servers of 2026 on a stream that the client opens. */
export function watchTools(client: Client, { news, on_tools_changed, signal }: Watching): void {
  if (client.getServerCapabilities()?.tools?.listChanged !== true) return;
  news.declare();
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    news.changed();
    on_tools_changed();
  });
  if (client.getProtocolEra() === 'modern') listen(client, news, signal).catch(() => {});
}

async function listen(client: Client, news: ToolNews, signal: AbortSignal): Promise<void> {
  const { honoredFilter, closed } = await client.listen({ toolsListChanged: true }, { signal });
  if (honoredFilter.toolsListChanged !== true) return;
  news.hear(true);
  await closed;
  news.hear(false);
}
