import { createSecretKey, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { INVALID_SPAN_CONTEXT as INVALID, trace } from '@opentelemetry/api';
import { createUser, type User } from '#accounts/users/users.ts';
import { openQuestionDesk } from '#connections/questions/question-desk.ts';
import { type Clock, isoTime, systemClock } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Database } from '#core/db/open.ts';
import { bind } from '#core/http/bind.ts';
import { inProcess } from '#core/http/in-process.ts';
import { createServer } from '#core/http/server.ts';
import { type JobTable, jobTable } from '#core/jobs/jobs.ts';
import { startWorker, type Worker } from '#core/jobs/worker.ts';
import { createLog } from '#core/log.ts';
import { Problem } from '#core/problem/problem.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import type { Tool } from '#core/tools/tool.ts';
import { insertSpans } from '#core/traces/spans.ts';
import { startTracing } from '#core/traces/tracing.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { openReceiptKeys } from '#runtime/receipts/receipt-keys.ts';
import { openReceipts, type Receipts } from '#runtime/receipts/receipts.ts';
import { askedInRun } from '#runtime/runs/asked-in-run.ts';
import type { Capability, ResolveCapability, RunOrder } from '#runtime/runs/capability.ts';
import { openRuns } from '#runtime/runs/open-runs.ts';
import { COMPLETED, cancelled, emptyOutcome } from '#runtime/runs/result.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import { tasksContract } from '#runtime/tasks/contract.ts';
import { openTasks } from '#runtime/tasks/open-tasks.ts';
import { tasksRoutes } from '#runtime/tasks/routes.ts';
import { tasksTools } from '#runtime/tasks/tools.ts';
import { trialsContract } from '#runtime/trials/contract.ts';
import { openTrials, type Trials } from '#runtime/trials/open-trials.ts';
import { trialsRoutes } from '#runtime/trials/routes.ts';
import type { TrialLimits } from '#runtime/trials/trial-days.ts';
import { openGates } from './open-gates.ts';
import { ROOMY } from './storage.ts';
import { until } from './until.ts';

/** Tasks over HTTP with a worker, and capabilities of a few lines in place of scripts: what each does is its name. */

interface Shown {
  id: string;
  status: string;
  status_reason: string | null;
  output: unknown;
  error: { code: string; detail: string } | null;
  attempt: number;
  receipt_id: string | null;
  receipt_key: string | null;
  trace_id: string | null;
  [field: string]: unknown;
}

const FIRST_DIGEST = `sha256:${'ab'.repeat(32)}`;

const closedSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

async function untilAborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

/** By reference: what it does, and what is special about it. */
const DOES: Record<string, { run(order: RunOrder): Promise<unknown>; more?: Partial<Capability> }> = {
  echo: {
    run: async ({ input, on_output }) => {
      on_output?.('stdout', Buffer.from(JSON.stringify(input)));
      return input;
    },
    more: { input_schema: closedSchema },
  },
  slow: {
    run: ({ signal }) => untilAborted(signal),
  },
  effect: {
    run: ({ signal }) => untilAborted(signal),
    more: { repeatable: false, execution_class: 'mcp' },
  },
  // As a server that asks which harbour.
  asks: {
    run: async ({ ask, signal }) => {
      const schema = {
        type: 'object',
        properties: { harbour: { type: 'string', minLength: 2 } },
        required: ['harbour'],
      };
      const { noted, on_question } = askedInRun({ ask, span: trace.wrapSpanContext(INVALID) } as RunOrder, 'harbours');
      const answer = await on_question({ message: 'Which harbour?', schema, link: null });
      signal.throwIfAborted();
      const { stderr } = noted(emptyOutcome(COMPLETED));
      return answer.action === 'accept' ? answer.content : { action: answer.action, stderr };
    },
    more: { repeatable: false, execution_class: 'mcp' },
  },
  nap: { run: async ({ input, signal }) => sleep(150, input, { signal }) },
  effect_nap: {
    run: async ({ input, signal }) => sleep(150, input, { signal }),
    more: { repeatable: false, execution_class: 'mcp' },
  },
  broken: {
    run: async () => 'never',
    more: { whyUnavailable: async () => Promise.reject(new Error('a bug before the run')) },
  },
  away: {
    run: async () => 'never',
    more: { whyUnavailable: async () => Promise.reject(new Problem('unavailable', 'x.away', 'It is away.')) },
  },
  bug: { run: async () => Promise.reject(new Error('a bug of ours')) },
  model: {
    run: async ({ caller }) => {
      await caller.charge();
      await caller.charge();
      return 'an answer';
    },
    more: { execution_class: 'prompt' },
  },
  refused: {
    run: async () => 'never',
    more: { whyUnavailable: async () => ({ reason: 'auth_needed', detail: 'It needs a sign-in.' }) },
  },
};

const resolverOf =
  (digest: () => string, listings?: ResolveCapability): ResolveCapability =>
  async ({ kind = 'skill', ref, version }, caller, given) => {
    if (kind === 'listing' && listings !== undefined) return listings({ kind, ref, version }, caller, given);
    const does = DOES[ref];
    if (does === undefined) throw runtimeProblem('runs.not_found', `There is no ${ref}.`);
    if (version !== undefined && version !== '1.0.0')
      throw runtimeProblem('runs.gone', `Version ${version} of ${ref} any more.`, { reason: 'version_gone' });
    return {
      kind,
      ref,
      name: ref,
      version: '1.0.0',
      digest: digest(),
      execution_class: 'scripted',
      input_schema: null,
      repeatable: true,
      whyUnavailable: async () => null,
      span: { name: `execute_tool ${ref}`, attributes: {} },
      run: async (order) => {
        try {
          const output = await does.run(order);
          return { ...emptyOutcome(COMPLETED), exit_code: 0, output };
        } catch (error) {
          if (!order.signal.aborted) throw error;
          return emptyOutcome(cancelled('It was cancelled.'));
        }
      },
      ...does.more,
    };
  };

/** The same as skills of the service. */
const SKILLS = {
  get: (name: string): Skill | undefined => SKILLS.skills.find((skill) => skill.name === name),
  skills: Object.entries(DOES).map(([name, { more }]) => {
    const { execution_class = 'scripted' } = more ?? {};
    return { name, execution_class, digest: FIRST_DIGEST, example: { input: { text: 'hi' } } } as Skill;
  }),
};

export interface TasksStand extends AsyncDisposable {
  tools: readonly Tool[];
  receipts: Receipts;
  trials: Trials;
  /** The same at another time. */
  trialsAt(clock: Clock): Trials;
  newUser(): Promise<User>;
  ask(as: User, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Without an account, from this network address. */
  askFrom(
    address: string,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Creates and starts a task. Answers its id. */
  start(as: User, ref: string, input?: unknown): Promise<string>;
  /** The task when it has come to one of these states. */
  until(as: User, id: string, states: readonly string[]): Promise<Shown>;
  /**
   * Ends the worker as kill -9 does: it writes nothing more and gives no lease back. Begins another one when they have run
   * out, after what happens `meanwhile`.
   */
  crashWorker(meanwhile?: () => Promise<unknown>): Promise<void>;
  /** Stops the worker as a process that ends does, and begins another one. */
  restartWorker(): Promise<void>;
  /** What each would run is another thing from now on. */
  changeCapabilities(): void;
  /** Answers the address. */
  listen(): Promise<string>;
  close(): Promise<void>;
}
interface Answer {
  status: number;
  body: Shown & { code?: string; items?: Shown[]; total_count?: number };
  text: string;
  headers: Headers;
}

interface StandOptions {
  storage?: StorageGate;
  at_work_per_user?: number;
  queue_per_user?: number;
  kept_per_user?: number;
  starts_per_day?: number;
  /** Jobs lie still until `restartWorker`. */
  idle?: boolean;
  /** 32 bytes in hex, for stands that share a database. */
  secret?: string;
  /** Resolves listings, which have no capability of a few lines. */
  listings?: ResolveCapability;
  /** Of runs without an account. */
  trials?: TrialLimits;
}

/** The table as a process has it that dies when its life is over. */
function mortal(jobs: JobTable, life: { over: boolean }): JobTable {
  const alive = <A extends unknown[]>(act: (...args: A) => Promise<void>) => {
    return (...args: A) => (life.over ? Promise.resolve() : act(...args));
  };
  return {
    ...jobs,
    complete: alive(jobs.complete),
    fail: alive(jobs.fail),
    giveBack: alive(jobs.giveBack),
    heartbeat: async (...args) => life.over || jobs.heartbeat(...args),
    fence: async (...args) => {
      if (life.over) throw new Error('killed');
      await jobs.fence(...args);
    },
  };
}

export async function tasksStand(database: Database, options: StandOptions = {}): Promise<TasksStand> {
  const { db } = database;
  const {
    at_work_per_user = 4,
    queue_per_user = 50,
    kept_per_user = 500,
    starts_per_day = 1_000,
    idle = false,
  } = options;
  let digest = FIRST_DIGEST;
  const resolve = resolverOf(() => digest, options.listings);
  const log = createLog('silent');
  const clock = systemClock;
  const keys = keyProvider([createSecretKey(options.secret ?? randomBytes(32).toString('hex'), 'hex')]);
  const receipt_keys = openReceiptKeys({ db, keys, clock });
  const receipts = openReceipts({ db, clock, keys, receipt_keys, origin: 'capstan.test/receipts' });
  const tracing = startTracing({ save: (spans) => insertSpans(db, spans), on_error: () => {} });
  const jobs = jobTable(database, clock);
  let worker: Worker | undefined;
  const tasks = openTasks({
    database,
    clock,
    keys,
    jobs,
    base_url: 'https://capstan.test',
    questions: openQuestionDesk({ database, clock, keys }),
    runs: openRuns({ db, clock, tracing, resolve, receipts: async () => receipts }),
    at_work_per_user,
    queue_per_user,
    kept_per_user,
    starts_per_day,
    kept_ms: 365 * 86_400_000,
    storage: options.storage ?? ROOMY,
    concurrency: 16,
    timeout_ms: 10_000,
    events_kept_ms: 86_400_000,
    trial_kept_ms: 7 * 86_400_000,
    wake: () => worker?.wake(),
  });
  let life = { over: false };
  const begin = async () => {
    await tasks.schedule();
    life = { over: false };
    worker = startWorker({ jobs: mortal(jobs, life), kinds: tasks.kinds, clock, log, poll_ms: 50 });
    worker.wake();
  };
  if (!idle) await begin();
  const trialsAt = (now: Clock) =>
    openTrials({
      tasks: { ...tasks.deps, clock: now },
      skills: SKILLS,
      packaged: { refusal: () => 'Packages are switched off here.' },
      config: { per_address: 5, per_day: 500, ...options.trials, kept_ms: 7 * 86_400_000 },
      jobs,
    });
  const trials = trialsAt(clock);
  const operations = [
    ...bind(tasksContract, tasksRoutes(tasks.deps)),
    ...bind(trialsContract, trialsRoutes({ ...trials.deps, log, skills: SKILLS })),
  ];
  const server = createServer({
    log,
    operations,
    gates: openGates(database),
    explain: explainDatabaseFailure,
    onAnswer: () => {},
  });

  const ask: TasksStand['ask'] = (as, method, path, body, more = {}) =>
    send(method, path, body, { headers: { authorization: `Bearer ${as.id}`, ...more } });
  const send = async (
    method: string,
    path: string,
    body: unknown,
    { headers: more, ...from }: { headers: Record<string, string>; address?: string },
  ): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', ...more };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await inProcess(server.fastify, path, { method, headers, ...sent, ...from });
    const text = await answer.text();
    const parsed = answer.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {};
    return { status: answer.status, body: parsed, text, headers: answer.headers };
  };
  let restarting = Promise.resolve();
  const restart = (between = async () => {}) => {
    restarting = restarting.then(async () => {
      await worker?.stop();
      await between();
      await begin();
    });
    return restarting;
  };
  const endLeases = async () => {
    const lease_until = '2026-01-01T00:00:00.000Z';
    await db.updateTable('jobs').set({ lease_until }).where('leased_by', 'is not', null).execute();
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= (async () => {
      tasks.close();
      await worker?.stop();
      await server.close(0);
      await tracing.close();
    })();
    return closed;
  };
  return {
    receipts,
    trials,
    trialsAt,
    tools: tasksTools(tasks.deps),
    ask,
    askFrom: (address, method, path, body, headers = {}) => send(method, path, body, { headers, address }),
    newUser: () => createUser(db, 'Ada', isoTime(clock.now())),
    start: async (as, ref, input = null) => {
      const made = await ask(as, 'POST', '/api/agents/tasks', { capability: { kind: 'skill', ref }, input });
      const started = await ask(as, 'POST', `/api/agents/tasks/${made.body.id}/start`);
      if (started.status !== 202) throw new Error(`${ref} was not started: ${started.text}`);
      return made.body.id;
    },
    until: async (as, id, states) => {
      let last = '';
      return until(`${id} ${states.join(' or ')}`, async () => {
        const { body } = await ask(as, 'GET', `/api/agents/tasks/${id}`);
        last = `${body.status} (${body.status_reason})`;
        return states.includes(body.status) && body;
      }).catch((error: Error) => {
        throw new Error(`${error.message} It is still ${last}.`);
      });
    },
    listen: async () => `http://127.0.0.1:${(await server.listen('127.0.0.1', 0)).port}`,
    changeCapabilities: () => {
      digest = `sha256:${'cd'.repeat(32)}`;
    },
    crashWorker: (meanwhile) => {
      life.over = true;
      return restart(async () => {
        await meanwhile?.();
        await endLeases();
      });
    },
    restartWorker: () => restart(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
