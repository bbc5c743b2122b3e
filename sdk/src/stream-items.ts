/** The items of streams. */

/** One server-sent event; `data` is parsed if it is JSON. */
export interface ServerEvent {
  /** `message` by default. */
  event: string;
  data: unknown;
  /** For `Last-Event-ID`; empty if the stream has no ids. */
  id: string;
}

interface Told<E extends string, D> {
  event: E;
  data: D;
  id: string;
}

export type TaskStatus =
  | 'submitted'
  | 'working'
  | 'input_required'
  | 'auth_required'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'rejected';

/** Final states of a task. */
export const FINAL_STATUSES: readonly string[] = ['completed', 'failed', 'cancelled', 'rejected'];

/** A step of preparing and starting a server from its package; `bytes` were received so far. */
export interface PackageStep {
  step: 'queued' | 'resolving' | 'fetching' | 'checking' | 'storing' | 'starting';
  bytes: number;
}

const STEP_TEXTS: Record<PackageStep['step'], string> = {
  queued: 'waiting for a place',
  resolving: 'resolving the package',
  fetching: 'fetching the package',
  checking: 'checking the package',
  storing: 'storing the package',
  starting: 'starting the server',
};

/** For people, such as `fetching the package (3.2 MB)`. */
export const stepText = ({ step, bytes }: PackageStep): string =>
  bytes === 0 ? STEP_TEXTS[step] : `${STEP_TEXTS[step]} (${(bytes / 1e6).toFixed(1)} MB)`;

export type TaskEvent =
  | Told<'status', { at: string; status: TaskStatus; status_reason: string | null; attempt: number }>
  | Told<'output', { at: string; stream: 'stdout' | 'stderr'; text: string }>
  | Told<'step', { at: string } & PackageStep>;

/** A step of the agent: the tool and its input. */
export interface ChatStep {
  tool: string;
  /** Its input as JSON, cut. */
  input: string;
  status: 'completed' | 'failed' | 'refused';
  duration_ms: number;
  error: { code: string; reason?: string; detail: string } | null;
  run: { task_id: string; receipt_id: string | null; trace_id: string | null } | null;
}

export type ChatEvent =
  | Told<'started', { id: string; conversation_id: string; model: string; is_llm: boolean; trace_id: string }>
  | Told<'text', { step: number; text: string }>
  | Told<'step_started', { call: string; tool: string; input: string }>
  | Told<'step_progress', { call: string; done: number; total: number | null; message: string }>
  /** A server or a task asks you: answer with `agent.answer` within five minutes. */
  | Told<'question', { call: string } & ServerQuestion>
  | Told<'step_finished', { call: string } & ChatStep>
  | Told<'done', import('./generated/contract.ts').Operations['agent']['chat']['answer']>
  | Told<
      'error',
      {
        code: string;
        reason?: string;
        status: number;
        detail: string;
        turn: import('./generated/contract.ts').Operations['agent']['chat']['answer'];
      }
    >;

/** What a server asks a person: to fill in the flat form of `schema`, or to open the page of `link`. All of it is untrusted. */
type ServerQuestion = Omit<
  NonNullable<import('./generated/contract.ts').Operations['tasks']['get']['answer']['server_question']>,
  'schema'
> & { schema: Record<string, unknown> };

export type ToolCallEvent =
  | Told<'progress', { progress: number; total?: number; message?: string }>
  | Told<'step', PackageStep>
  /** The server asks a person: answer with `questions.answer` within five minutes. */
  | Told<'question', ServerQuestion>
  | Told<'result', import('./generated/contract.ts').Operations['tools']['call']['answer']>
  | Told<'error', import('./generated/contract.ts').Problem>;

/** Of a new connection to a package, or one whose hosts change: its steps, and then the connection. */
export type ConnectionEvent =
  | Told<'step', PackageStep>
  | Told<'result', import('./generated/contract.ts').Operations['connections']['get']['answer']>
  | Told<'error', import('./generated/contract.ts').Problem>;

/** Of a connection whose credentials change: the steps of starting its package with them, and then its new state. */
export type CredentialsEvent =
  | Told<'step', PackageStep>
  | Told<'result', import('./generated/contract.ts').Operations['credentials']['store']['answer']>
  | Told<'error', import('./generated/contract.ts').Problem>;

/** A listing with its metadata or, in a delta, the tombstone of a removed one. */
export type ExportLine =
  | (import('./generated/contract.ts').Item & Record<string, unknown>)
  | { provider_id: string; external_id: string; removed_at: string; seq: number };
