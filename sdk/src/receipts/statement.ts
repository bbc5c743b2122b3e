import type { Operations } from '../generated/contract.ts';
import { closed, list, oneOf, orNull, type Shape, text, whole } from './shape.ts';

/** What a receipt says: an in-toto Statement v1 about one run. */

export type RunStatement = NonNullable<Operations['receipts']['verify']['answer']['statement']>;

export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

const any = text(/^/);
const hex = text(/^[0-9a-f]{64}$/);
const time = text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const mac = closed({ hmac_sha256: hex });

const run = closed(
  {
    run_id: text(/^./s, 100),
    execution_class: oneOf('prompt', 'scripted', 'mcp'),
    started_at: time,
    finished_at: time,
    status: oneOf('completed', 'failed', 'cancelled', 'interrupted'),
    exit_code: orNull(whole()),
    input: mac,
    output: mac,
    environment: closed({ isolation: orNull(any), engine: orNull(any), network: oneOf('none', 'guarded') }),
    model: orNull(any),
    planner: orNull(any),
    trace: closed({ trace_id: text(/^[0-9a-f]{32}$/), digest: hex }),
    caller: closed({ commitment: hex }),
    attempt: whole(1),
    intent: closed({ digest: closed({ sha256: hex }) }),
  },
  { reason: text(/^/, 100), listing: closed({ name: text(/^./s, 2_000), address_sha256: hex }) },
);

export const isRunStatement: Shape = closed({
  _type: oneOf('https://in-toto.io/Statement/v1'),
  subject: list(closed({ name: text(/^./s, 2_000), digest: closed({ sha256: hex }) }), 1, 1),
  predicateType: oneOf('urn:capstan:predicate:run:v0.1'),
  predicate: run,
});
