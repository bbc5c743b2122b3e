import { CALL_PREDICATE, REFUSAL_PREDICATE, type RunStatement } from '#runtime/receipts/statement.ts';

/** The fields of a receipt that levels and scores use. Pure. */

interface ProvenRun {
  /** The signed subject without its version: `skill/<name>`, `listing/<provider>/<id>` or `capability/<id>`. */
  subject: string;
  version: string;
  /** SHA-256 of its files or its server's address, in hex. */
  pin: string;
  outcome: 'completed' | 'failed';
  input_mac: string;
  output_mac: string;
  at: string;
}

/** Why a receipt is not a run of a listing, or says nothing about it. */
type NoRun = 'not_listed' | 'not_ended' | 'not_its_fault';

/** Reasons for failure that concern the caller, this service, a registry or a model, not the listing. */
const NOT_ITS_FAULT = new Set([
  // The caller's input, and tools that the caller has not accepted.
  'input_unfit',
  'input_required',
  'arguments_invalid',
  'variables',
  'hash',
  'tool_added',
  'tool_changed',
  'not_found',
  // Sign-in at the server, credentials and grants.
  'auth_needed',
  'auth_required',
  'grant_ended',
  'scope_required',
  'hosts_required',
  'access',
  'denied',
  'credentials',
  'package_secret',
  'audience',
  'issuer',
  'metadata',
  'refresh',
  'resource',
  'server_error',
  'client',
  'not_offered',
  'pkce',
  'scope',
  // What this service, its operator or a registry has no room or means for.
  'checks',
  'concurrency',
  'rate',
  'quota_exceeded',
  'storage_full',
  'boxes_busy',
  'box_unavailable',
  'egress_unavailable',
  'fetch_busy',
  'manager_unavailable',
  'registry_required',
  'registry_unavailable',
  'engine_failed',
]);
/** The words of version 0.1, whose receipts stay valid. */
const NOT_ITS_FAULT_BEFORE = new Set([
  'arguments_unfit',
  'tool_unknown',
  'tool_not_found',
  'access_refused',
  'too_many_calls',
  'check_busy',
]);
const NOT_ITS_FAULT_EITHER = /^(oauth|credentials|model|sandbox|quota)_/;
/** Exit code with which built-in skills report invalid input. Third-party skills could hide failures behind it. */
const INPUT_WRONG = 2;

export function runOfReceipt({ subject, predicate, predicateType }: RunStatement): ProvenRun | NoRun {
  // Levels and scores are computed from runs; single calls are too many, and too cheap to make. A refusal ran nothing.
  if (predicateType === CALL_PREDICATE || predicateType === REFUSAL_PREDICATE) return 'not_listed';
  const [signed] = subject as [RunStatement['subject'][number]];
  const { status, reason = '', exit_code, input, output, finished_at } = predicate;
  const listing = 'listing' in predicate ? predicate.listing : undefined;
  const at = signed.name.lastIndexOf('@');
  const [ref, version] = [signed.name.slice(0, at), signed.name.slice(at + 1)];
  const ran = listing !== undefined ? `listing/${listing.name}` : ref;
  if (!/^(skill|listing|capability)\//.test(ran)) return 'not_listed';
  if (status !== 'completed' && status !== 'failed') return 'not_ended';
  if (status === 'failed') {
    if (NOT_ITS_FAULT.has(reason) || NOT_ITS_FAULT_BEFORE.has(reason) || NOT_ITS_FAULT_EITHER.test(reason))
      return 'not_its_fault';
    if (ran.startsWith('skill/') && exit_code === INPUT_WRONG) return 'not_its_fault';
  }
  return {
    subject: ran,
    version: ref.startsWith('connection/') ? '' : version,
    pin: listing?.address_sha256 ?? signed.digest.sha256,
    outcome: status,
    input_mac: input.hmac_sha256,
    output_mac: output.hmac_sha256,
    at: finished_at,
  };
}
