import type { Operations } from '../generated/contract.ts';
import { closed, list, oneOf, orNull, type Shape, text, whole } from './shape.ts';

/** The content of a receipt: an in-toto Statement v1 about one run, one tool call, or one rejected task. */

export type RunStatement = NonNullable<Operations['receipts']['verify']['answer']['statement']>;

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

const any = text(/^/);
const hex = text(/^[0-9a-f]{64}$/);
const time = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const mac = closed({ hmac_sha256: hex });

const members = {
  run_id: text(/^./s, 100),
  execution_class: oneOf('prompt', 'scripted', 'mcp'),
  started_at: time,
  finished_at: time,
  status: oneOf('completed', 'failed', 'cancelled', 'interrupted'),
  exit_code: orNull(whole()),
  input: mac,
  output: mac,
  model: orNull(any),
  planner: orNull(any),
  trace: closed({ trace_id: text(/^[0-9a-f]{32}$/), digest: hex }),
  caller: closed({ commitment: hex }, { kind: oneOf('anonymous', 'service') }),
  attempt: whole(1),
  intent: closed({ digest: closed({ sha256: hex }) }),
};
const optionalMembers = { reason: text(/^/, 100), listing: closed({ name: text(/^./s, 2_000), address_sha256: hex }) };

const engine = { isolation: orNull(any), engine: orNull(any) };
const host = text(/^./s, 300);
const hosts = closed({
  granted_sha256: hex,
  reached: list(
    closed({ host, port: whole(0), connections: whole(0), bytes_in: whole(0), bytes_out: whole(0) }),
    0,
    100,
  ),
  refused: list(closed({ host, port: whole(0), reason: text(/^./s, 100) }), 0, 100),
  complete: oneOf(true, false),
});
const resources = closed({ cpu_ms: whole(0), memory_bytes: whole(0), processes: whole(0) });
const trees = { lock_sha256: hex, tree_sha256: hex };

const run = closed(
  {
    ...members,
    environment: closed({ ...engine, network: oneOf('none', 'guarded', 'allow_list') }, { hosts, resources }),
  },
  {
    ...optionalMembers,
    package: closed({ purl: text(/^./s, 2_000), ...trees }),
    packages: list(closed({ ecosystem: oneOf('npm', 'pypi'), ...trees }), 1, 2),
    signer: oneOf('local_key'),
  },
);

/** Version 0.1 of the predicate, which is not signed any more; its receipts stay valid. */
const earlierRun = closed(
  { ...members, environment: closed({ ...engine, network: oneOf('none', 'guarded') }) },
  optionalMembers,
);

const subject = list(closed({ name: text(/^./s, 2_000), digest: closed({ sha256: hex }) }), 1, 1);
const statement = (type: string, predicate: Shape): Shape =>
  closed({
    _type: oneOf('https://in-toto.io/Statement/v1'),
    subject,
    predicateType: oneOf(`urn:capstan:predicate:${type}`),
    predicate,
  });

const nothing: Shape = (value) => value === null;

/** A tool call: its trace may still grow, and it has no signed intent. */
const call = closed(
  {
    run_id: members.run_id,
    execution_class: oneOf('mcp'),
    started_at: time,
    finished_at: time,
    status: oneOf('completed', 'failed', 'cancelled', 'interrupted', 'refused'),
    exit_code: nothing,
    input: mac,
    output: mac,
    model: nothing,
    planner: nothing,
    environment: closed({ ...engine, network: oneOf('none', 'guarded', 'allow_list') }, { hosts, resources }),
    trace: closed({ trace_id: text(/^[0-9a-f]{32}$/) }),
    caller: members.caller,
    attempt: members.attempt,
    tool: closed({ server: text(/^./s, 2_000), name: text(/^./s, 2_000), definition_sha256: orNull(hex) }),
  },
  { ...optionalMembers, package: closed({ purl: text(/^./s, 2_000), ...trees }) },
);

/** A task that was rejected: nothing ran, so it has no digest of a trace and no intent. */
const refusal = closed({
  run_id: members.run_id,
  execution_class: members.execution_class,
  started_at: time,
  finished_at: time,
  status: oneOf('refused'),
  exit_code: nothing,
  input: mac,
  output: mac,
  model: nothing,
  planner: nothing,
  environment: closed({ ...engine, network: oneOf('none', 'guarded', 'allow_list') }, { hosts, resources }),
  trace: closed({ trace_id: text(/^[0-9a-f]{32}$/) }),
  caller: members.caller,
  attempt: members.attempt,
  reason: text(/^./s, 100),
});

const current = statement('run:v0.2', run);
const earlier = statement('run:v0.1', earlierRun);
const ofCall = statement('call:v0.1', call);
const ofRefusal = statement('refusal:v0.1', refusal);

/** Whether a key of the user's own machine signed it, as it says itself. */
export const isLocal = ({ predicate }: RunStatement): boolean =>
  'signer' in predicate && predicate.signer === 'local_key';

export const isRunStatement: Shape = (value) => current(value) || earlier(value) || ofCall(value) || ofRefusal(value);
