import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { CallToolResult } from '@modelcontextprotocol/client';
import type { PackagedAnswer, PackagedOrder, PackagedServers, PackageStep } from '#core/mcp/packaged-servers.ts';
import type { AskPerson, QuestionAnswer, ServerQuestion } from '#core/mcp/questions.ts';
import type { McpCall, McpProgress, McpSession, McpWork } from '#core/mcp/session.ts';
import type { Threads } from '#core/threads/threads.ts';
import type { NativeScripts } from '#runtime/native/native-scripts.ts';
import { openNativeScripts } from '#runtime/native/open-native-scripts.ts';
import { hostFault } from './host-grants.ts';
import type { OwnPackagedServers, PackagedConfig, PackagedStatus } from './open-packaged-servers.ts';
import { packageRefusals, type RefuseConfig } from './refuse-package.ts';

interface ThreadsConfig extends RefuseConfig, Pick<PackagedConfig, 'skill_packages'> {}

/**
 * Servers from packages for all serving threads. The first thread has the boxes and the sessions with them. Another thread
 * sends its order there with a port, and the work of the order calls the session over that port.
 */
export function serversOfThreads(
  threads: Threads,
  config: ThreadsConfig,
  open: () => OwnPackagedServers,
): OwnPackagedServers {
  const first = threads.number === 1 ? open() : null;
  const changed = new Map<string, () => void>();
  /** The owner's callback is in the thread that sent the order. */
  const toolsChanged = threads.inEach('packaged.toolsChanged', async (id: string) => changed.get(id)?.());
  const ofFirst = (): OwnPackagedServers => {
    if (first === null) throw new Error('The boxes are in the first thread.');
    return first;
  };
  const pin = threads.inFirst('packaged.pin', (...asked: Parameters<PackagedServers['pin']>) =>
    ofFirst().pin(...asked),
  );
  const settings = threads.inFirst(
    'packaged.settings',
    (order: Omit<Parameters<PackagedServers['settings']>[0], 'signal' | 'on_step'>, signal: AbortSignal) =>
      ofFirst().settings({ ...order, signal }),
  );
  const forget = threads.inFirst('packaged.forget', async (id: string) => ofFirst().forget(id));
  const status = threads.inFirst('packaged.status', (): Promise<PackagedStatus> => ofFirst().status());
  const serve = threads.inFirst('packaged.through', (order: PlainOrder, port: MessagePort, signal: AbortSignal) =>
    served(ofFirst(), order, port, signal, (id) => void toolsChanged(id)),
  );
  if (first !== null) return first;
  return {
    scripts: scriptsElsewhere(config),
    refusal: packageRefusals(config),
    hostFault,
    pin,
    // The first thread's steps are not told here.
    settings: ({ source, share, signal }) => settings({ source, share }, signal),
    status,
    forget: (id) => {
      changed.delete(id);
      void forget(id).catch(() => {});
    },
    through: (order, work) => {
      if (order.kept !== null) changed.set(order.kept.id, order.kept.on_tools_changed);
      return asked(serve, order, work);
    },
    close: async () => {},
  };
}

/** Tasks run in the first thread; here it is only decided whether a script can. */
function scriptsElsewhere({ runtime, skill_packages }: ThreadsConfig): NativeScripts {
  const refuse = () => Promise.reject(new Error('Scripts run in the first thread.'));
  return openNativeScripts({
    policy: runtime === 'off' ? 'off' : skill_packages,
    openRuntime: refuse,
    inPlace: refuse,
  });
}

/** An order without callbacks. */
type PlainOrder = Omit<PackagedOrder, 'kept' | 'signal' | 'on_step'> & { kept: { id: string; version: string } | null };

type FromFirst =
  | { step: PackageStep }
  | { opened: Pick<McpSession, 'protocol_version' | 'transport' | 'server'> }
  | { progress: McpProgress; id: number }
  | { question: ServerQuestion; id: number; number: number }
  | { id: number; value: unknown };

type ToFirst =
  | { id: number; verb: PlainVerb; given: unknown }
  | { id: number; call: Omit<McpCall, 'on_progress' | 'on_question'> }
  | { id: number; number: number; said: QuestionAnswer }
  | { done: true };

/** Methods of a session whose argument and result are plain data. */
const PLAIN_VERBS = ['listTools', 'listResources', 'readResource', 'listPrompts', 'getPrompt'] as const;
type PlainVerb = (typeof PLAIN_VERBS)[number];

/** In the first thread: keeps the session open until the other thread's work is done, and carries out its calls. */
async function served(
  servers: OwnPackagedServers,
  { kept, ...order }: PlainOrder,
  port: MessagePort,
  signal: AbortSignal,
  onToolsChanged: (id: string) => void,
): Promise<PackagedAnswer<null>> {
  const say = (message: FromFirst) => port.postMessage(message);
  const serving: McpWork<null> = (session) =>
    new Promise((resolve, reject) => {
      const asking = new Map<string, (said: QuestionAnswer) => void>();
      let number = 0;
      const ask = (id: number, question: ServerQuestion): Promise<QuestionAnswer> =>
        new Promise((said) => {
          number += 1;
          asking.set(`${id} ${number}`, said);
          say({ question, id, number });
        });
      const answer = (id: number, asked: Promise<unknown>) => void asked.then((value) => say({ id, value }), reject);
      port.on('message', (message: ToFirst) => {
        if ('done' in message) resolve(null);
        else if ('said' in message) asking.get(`${message.id} ${message.number}`)?.(message.said);
        else if ('verb' in message) answer(message.id, session[message.verb](message.given as never));
        else {
          const on_progress = (progress: McpProgress) => say({ progress, id: message.id });
          answer(
            message.id,
            session.callTool({ ...message.call, on_progress, on_question: (question) => ask(message.id, question) }),
          );
        }
      });
      const { protocol_version, transport, server } = session;
      say({ opened: { protocol_version, transport, server } });
    });
  const box = kept === null ? null : { ...kept, on_tools_changed: () => onToolsChanged(kept.id) };
  try {
    return await servers.through({ ...order, kept: box, signal, on_step: (step) => say({ step }) }, serving);
  } finally {
    port.close();
  }
}

type Serve = (order: PlainOrder, port: MessagePort, signal: AbortSignal) => Promise<PackagedAnswer<null>>;

/** In another thread. */
async function asked<T>(serve: Serve, order: PackagedOrder, work: McpWork<T>): Promise<PackagedAnswer<T>> {
  const { kept, signal, on_step, ...plain } = order;
  const { port1, port2 } = new MessageChannel();
  const cancelled = new AbortController();
  const over = new AbortController();
  const cancel = () => cancelled.abort();
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const questions = new Map<number, AskPerson>();
  const telling = new Map<number, NonNullable<McpCall['on_progress']>>();
  let worked: Promise<{ value: T } | { error: unknown }> | null = null;
  let lastId = 0;
  const ask = <R>(message: ToFirst & { id: number }): Promise<R> => {
    const answer = Promise.withResolvers<unknown>();
    // The work may have ended for another reason.
    answer.promise.catch(() => {});
    waiting.set(message.id, answer);
    port1.postMessage(message);
    return answer.promise as Promise<R>;
  };
  const plainVerbs = Object.fromEntries(
    PLAIN_VERBS.map((verb) => [verb, (given?: unknown) => ask({ id: ++lastId, verb, given })]),
  ) as unknown as Pick<McpSession, PlainVerb>;
  const session = (about: Pick<McpSession, 'protocol_version' | 'transport' | 'server'>): McpSession => ({
    ...about,
    ...plainVerbs,
    // What its server announces is heard in the first thread.
    unchanged: () => null,
    callTool: ({ on_progress, on_question, ...call }) => {
      const id = ++lastId;
      if (on_question !== undefined) questions.set(id, on_question);
      if (on_progress !== undefined) telling.set(id, on_progress);
      return ask<CallToolResult>({ id, call });
    },
  });
  port1.on('message', (message: FromFirst) => {
    if ('step' in message) on_step?.(message.step);
    else if ('progress' in message) telling.get(message.id)?.(message.progress);
    else if ('question' in message) {
      const { id, number } = message;
      const asked =
        questions.get(id)?.(message.question, over.signal) ?? Promise.resolve({ action: 'decline' as const });
      void asked.then((said) => port1.postMessage({ id, number, said } satisfies ToFirst));
    } else if ('value' in message) waiting.get(message.id)?.resolve(message.value);
    else
      worked = work(session(message.opened))
        .then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
        .finally(() => port1.postMessage({ done: true } satisfies ToFirst));
  });
  try {
    const plainKept = kept === null ? null : { id: kept.id, version: kept.version };
    const { answer, facts } = await serve({ ...plain, kept: plainKept }, port2, cancelled.signal);
    // Pending requests of the session will not be answered any more.
    for (const { reject } of waiting.values()) reject(new Error('the session has ended'));
    if (!answer.ok) return { answer, facts };
    const ended = await (worked as unknown as Promise<{ value: T } | { error: unknown }>);
    if ('error' in ended) throw ended.error;
    return { answer: { ok: true, value: ended.value }, facts };
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
    over.abort();
    port1.close();
  }
}
