import type { Static, TSchema } from 'typebox';
import { Type } from '#core/json-schema/type.ts';

/** The content of a receipt: an in-toto Statement v1 with our predicate, as RFC 8785 canonical JSON. */

const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1';
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';
/** The current version. Receipts of the earlier version stay valid. */
const RUN_PREDICATE = 'urn:capstan:predicate:run:v0.2';
const EARLIER_RUN_PREDICATE = 'urn:capstan:predicate:run:v0.1';
export const CALL_PREDICATE = 'urn:capstan:predicate:call:v0.1';
export const REFUSAL_PREDICATE = 'urn:capstan:predicate:refusal:v0.1';
const INTENT_PREDICATE = 'urn:capstan:predicate:intent:v0.1';

const CALLER_KINDS = ['anonymous', 'service'] as const;

const Hex = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
const closed = { additionalProperties: false };

/** Over the canonical JSON of the value, or of `{json, files: {<path>: <sha256>}}` where files belong to it. */
const Mac = Type.Object({ hmac_sha256: Hex }, closed);

const Host = Type.String({ minLength: 1, maxLength: 300 });
const Port = Type.Integer({ minimum: 0, maximum: 65_535, description: '0 if the name was only looked up.' });
const Count = Type.Integer({ minimum: 0 });

export const MOST_RECEIPT_HOSTS = 100;

export const LOCAL_SIGNER = 'local_key';

/** Whether a key of the user's own machine signed it, as it says itself. */
export const isLocal = ({ predicate }: RunStatement): boolean =>
  'signer' in predicate && predicate.signer === LOCAL_SIGNER;

const Hosts = Type.Object(
  {
    granted_sha256: {
      ...Hex,
      description: 'SHA-256 of the canonical JSON of the granted hosts: `[{"host","ports"}]`, sorted by host.',
    },
    reached: Type.Array(
      Type.Object({ host: Host, port: Port, connections: Count, bytes_in: Count, bytes_out: Count }, closed),
      { maxItems: MOST_RECEIPT_HOSTS },
    ),
    refused: Type.Array(
      Type.Object({ host: Host, port: Port, reason: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
      { maxItems: MOST_RECEIPT_HOSTS },
    ),
    complete: Type.Boolean({ description: 'False where more hosts were reached or refused than are listed.' }),
  },
  { ...closed, description: 'Hosts that a box reached, and those that it asked for and was refused.' },
);

const Resources = Type.Object(
  {
    cpu_ms: Count,
    memory_bytes: { ...Count, description: 'The most that was in use at once.' },
    processes: { ...Count, description: 'The most that ran at once.' },
  },
  { ...closed, description: 'Resources used by the processes of a box.' },
);

const Package = Type.Object(
  {
    purl: Type.String({ minLength: 1, maxLength: 2_000, description: 'Package URL with the exact version.' }),
    lock_sha256: Hex,
    tree_sha256: Hex,
  },
  { ...closed, description: 'The package that ran: its lock file, and the digest of its files.' },
);

const InstalledPackages = Type.Array(
  Type.Object({ ecosystem: Type.Enum(['npm', 'pypi']), lock_sha256: Hex, tree_sha256: Hex }, closed),
  { minItems: 1, maxItems: 2, description: 'The packages that a script imported.' },
);

const earlierEnvironment = {
  isolation: Type.Union([Type.String(), Type.Null()], {
    description: 'Isolation of the code, such as wasm+process or native+bwrap+seccomp.',
  }),
  engine: Type.Union([Type.String(), Type.Null()]),
};

const EarlierEnvironment = Type.Object({ ...earlierEnvironment, network: Type.Enum(['none', 'guarded']) }, closed);

const Environment = Type.Object(
  {
    ...earlierEnvironment,
    network: Type.Enum(['none', 'guarded', 'allow_list'], {
      description: '`guarded`: not to private addresses. `allow_list`: to the granted hosts only.',
    }),
    hosts: Type.Optional(Hosts),
    resources: Type.Optional(Resources),
  },
  closed,
);

/** Without the service's key, the commitment identifies nobody. */
const Caller = Type.Object(
  {
    commitment: Hex,
    kind: Type.Optional(
      Type.Enum([...CALLER_KINDS], {
        description: 'Who asked for the run, if no account did: someone without one, or the service itself.',
      }),
    ),
  },
  closed,
);

const commonMembers = {
  run_id: Type.String({ minLength: 1, maxLength: 100 }),
  execution_class: Type.Enum(['prompt', 'scripted', 'mcp']),
  started_at: Time,
  finished_at: Time,
  status: Type.Enum(['completed', 'failed', 'cancelled', 'interrupted'], {
    description: '`interrupted`: the runner stopped, and the side effects of the run are unknown.',
  }),
  exit_code: Type.Union([Type.Integer(), Type.Null()]),
  input: Mac,
  output: Mac,
  model: Type.Union([Type.String(), Type.Null()]),
  planner: Type.Union([Type.String(), Type.Null()]),
  trace: Type.Object({ trace_id: Type.String({ pattern: '^[0-9a-f]{32}$' }), digest: Hex }, closed),
  caller: Caller,
  attempt: Type.Integer({ minimum: 1 }),
  intent: Type.Object(
    { digest: Type.Object({ sha256: Hex }, closed) },
    { ...closed, description: 'SHA-256 of the intent’s envelope, which was signed before the run began.' },
  ),
  reason: Type.Optional(
    Type.String({ maxLength: 100, description: 'Why it failed, as a code such as `timed_out`; only for failed runs.' }),
  ),
  listing: Type.Optional(
    Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 2_000, description: '`<provider>/<external_id>`.' }),
        address_sha256: Hex,
      },
      { ...closed, description: 'The listing whose server was called, and its address, hashed.' },
    ),
  ),
};

const EarlierRunPredicate = Type.Object({ ...commonMembers, environment: EarlierEnvironment }, closed);

const RunPredicate = Type.Object(
  {
    ...commonMembers,
    environment: Environment,
    package: Type.Optional(Package),
    packages: Type.Optional(InstalledPackages),
    signer: Type.Optional(
      Type.Enum([LOCAL_SIGNER], {
        description:
          '`local_key`: a key of the user’s own machine signed it, where the run was. Absent: a service did.',
      }),
    ),
  },
  closed,
);

const Text = Type.String({ minLength: 1, maxLength: 2_000 });

/** One tool call. Its intent is a row that was stored before the call, and its trace may still grow. */
const CallPredicate = Type.Object(
  {
    run_id: commonMembers.run_id,
    execution_class: Type.Literal('mcp'),
    started_at: Time,
    finished_at: Time,
    status: Type.Enum(['completed', 'failed', 'cancelled', 'interrupted', 'refused'], {
      description:
        '`refused`: the tool was not called. `interrupted`: the service stopped during the call, and its result is unknown.',
    }),
    exit_code: Type.Null(),
    input: { ...Mac, description: 'Over the arguments as compact JSON.' },
    output: {
      ...Mac,
      description:
        'Over `{content, structured_content, is_error}` as compact JSON in this order; `null` without a result.',
    },
    model: Type.Null(),
    planner: Type.Null(),
    environment: Environment,
    trace: Type.Object({ trace_id: commonMembers.trace.properties.trace_id }, closed),
    caller: commonMembers.caller,
    attempt: commonMembers.attempt,
    tool: Type.Object(
      {
        server: {
          ...Text,
          description: '`listing/<provider>/<external_id>`, a package URL, or the origin of an address.',
        },
        name: Text,
        definition_sha256: Type.Union([Hex, Type.Null()], {
          description: 'Of the tool as accepted, as in `hash` of the connection’s tools; null if it has none.',
        }),
      },
      { ...closed, description: 'The SHA-256 of its canonical JSON is the digest of the subject.' },
    ),
    reason: commonMembers.reason,
    listing: commonMembers.listing,
    package: Type.Optional(Package),
  },
  closed,
);

/** A task that was rejected: its capability did not run. */
const RefusalPredicate = Type.Object(
  {
    run_id: commonMembers.run_id,
    execution_class: commonMembers.execution_class,
    started_at: Time,
    finished_at: Time,
    status: Type.Literal('refused'),
    exit_code: Type.Null(),
    input: Mac,
    output: { ...Mac, description: 'Over `null`.' },
    model: Type.Null(),
    planner: Type.Null(),
    environment: Environment,
    trace: Type.Object({ trace_id: commonMembers.trace.properties.trace_id }, closed),
    caller: commonMembers.caller,
    attempt: commonMembers.attempt,
    reason: Type.String({ minLength: 1, maxLength: 100, description: 'A code such as `capability_changed`.' }),
  },
  closed,
);

const IntentPredicate = Type.Object(
  {
    run_id: Type.String({ minLength: 1, maxLength: 100 }),
    execution_class: Type.Enum(['prompt', 'scripted', 'mcp']),
    attempt: Type.Integer({ minimum: 1 }),
    input: Mac,
    caller: Caller,
    at: Time,
  },
  closed,
);

const Subject = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 2_000, description: '`<kind>/<ref>@<version>`.' }),
    digest: Type.Object({ sha256: Hex }, closed),
  },
  closed,
);

const statementOf = <P extends TSchema>(type: string, predicate: P) =>
  Type.Object(
    {
      _type: Type.Literal(STATEMENT_TYPE),
      subject: Type.Array(Subject, { minItems: 1, maxItems: 1 }),
      predicateType: Type.Literal(type),
      predicate,
    },
    closed,
  );

export const RunStatement = Type.Union([
  statementOf(RUN_PREDICATE, RunPredicate),
  statementOf(EARLIER_RUN_PREDICATE, EarlierRunPredicate),
  statementOf(CALL_PREDICATE, CallPredicate),
  statementOf(REFUSAL_PREDICATE, RefusalPredicate),
]);
const IntentStatement = statementOf(INTENT_PREDICATE, IntentPredicate);

export type RunStatement = Static<typeof RunStatement>;
type IntentStatement = Static<typeof IntentStatement>;
export type RunFacts = Static<typeof RunPredicate>;
export type CallFacts = Static<typeof CallPredicate>;
type RefusalFacts = Static<typeof RefusalPredicate>;
type IntentFacts = Static<typeof IntentPredicate>;
export type Subject = Static<typeof Subject>;

export const runStatement = (subject: Subject, predicate: RunFacts) => ({
  _type: STATEMENT_TYPE,
  subject: [subject] satisfies [Subject],
  predicateType: RUN_PREDICATE,
  predicate,
});

export const intentStatement = (subject: Subject, predicate: IntentFacts): IntentStatement => ({
  _type: STATEMENT_TYPE,
  subject: [subject],
  predicateType: INTENT_PREDICATE,
  predicate,
});

export const callStatement = (subject: Subject, predicate: CallFacts) => ({
  _type: STATEMENT_TYPE,
  subject: [subject] satisfies [Subject],
  predicateType: CALL_PREDICATE,
  predicate,
});

export const refusalStatement = (subject: Subject, predicate: RefusalFacts) => ({
  _type: STATEMENT_TYPE,
  subject: [subject] satisfies [Subject],
  predicateType: REFUSAL_PREDICATE,
  predicate,
});
