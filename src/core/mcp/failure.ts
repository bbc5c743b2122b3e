import type { Problem } from '#core/problem/problem.ts';
import { isProblem } from '#core/problem/problem.ts';
import { plain, quoted } from '#core/tools/words.ts';
import { PAGE_REQUIRED } from './required-pages.ts';
import type { Met } from './session-fetch.ts';

/** How a server failed. */
export interface McpFailure {
  /**
   * `refused`: an MCP error response. `too_large`: the session exceeded its byte limit. `broken`: the session was open
   * and then failed.
   */
  reason:
    | 'auth_needed'
    | 'not_mcp'
    | 'unreachable'
    | 'timed_out'
    | 'too_large'
    | 'refused'
    | 'broken'
    | 'input_required'
    /** For a local server: the process ended before it spoke MCP, or could not be started. */
    | 'start_failed'
    /** For a local server: it was killed because it exceeded its memory limit. */
    | 'out_of_memory'
    /** Of a server that runs here: it failed after it was refused a host. */
    | 'wants_network'
    /** Of a server that runs here: it failed because it could not open a browser or a window. */
    | 'wants_display';
  /** One sentence without a full stop. Words of the server are shortened and in quotation marks. */
  detail: string;
  /** The server's protocol error code, if any. */
  code: number | null;
  /** Status of the last response; null without one. */
  status: number | null;
  /** The `WWW-Authenticate` header of that response. */
  challenge: string | null;
  /** Reason of the egress guard's error, such as `blocked`. */
  guard: string | null;
  /** The server no longer knows the session and did nothing. */
  is_stale: boolean;
}

interface Circumstances {
  timed_out: boolean;
  connected: boolean;
  timeout_ms: number;
}

/** Classifies an error of the client by what its requests received. */
export function failureOf(error: unknown, met: Met, { timed_out, connected, timeout_ms }: Circumstances): McpFailure {
  const failure = (reason: McpFailure['reason'], detail: string, code: number | null = null) => ({
    reason,
    detail,
    code,
    status: met.status,
    challenge: met.challenge,
    guard: met.problem?.reason ?? null,
    is_stale: connected && isStale(met, error),
  });
  const problem: Problem | null = met.problem;
  if (isProblem(problem, 'outbound.failed', 'too_large'))
    return failure('too_large', "the server's response exceeded the size limit");
  if (timed_out) return failure('timed_out', `the server did not respond within ${timeout_ms / 1_000} s`);
  if (met.status === 401 || met.status === 403)
    return failure('auth_needed', `the server requires authorization (status ${met.status})`);
  if (problem !== null) return failure('unreachable', problem.message.replace(/\.$/, ''));
  const { name, code, message } = error as { name?: unknown; code?: unknown; message?: unknown };
  if (name === 'ProtocolError' && code === MISSING_CAPABILITY)
    return failure(
      'input_required',
      'the server requested something that is unavailable here, such as an answer of a language model (sampling) or the list of folders',
    );
  if (code === PAGE_REQUIRED)
    return failure(
      'input_required',
      'the server requires its user to open a page before this call, and it was not opened',
    );
  if (name === 'ProtocolError' && typeof code === 'number')
    return failure('refused', `the server returned error ${code}${inWords(message)}`, code);
  if (code === 'UNSUPPORTED_RESULT_TYPE' || code === 'INPUT_REQUIRED_ROUNDS_EXCEEDED')
    return failure('input_required', 'the server requested more input during the call, which is not supported here');
  if (code === 'CAPABILITY_NOT_SUPPORTED')
    return failure(
      'input_required',
      'the server requested an answer of a language model or the list of folders during the call, which is unavailable here',
    );
  if (code === 'REQUEST_TIMEOUT')
    return failure('timed_out', `the server did not respond within ${timeout_ms / 1_000} s`);
  if (met.status !== null && (met.status >= 500 || met.status === 429))
    return failure('unreachable', `the server returned status ${met.status}`);
  return connected
    ? failure('broken', `the session failed (${quoted(String(name ?? 'Error'), 40)}${inWords(message)})`)
    : failure('not_mcp', whyNot(met.status));
}

/** A server of the newer revision requires a capability that the client did not declare. */
const MISSING_CAPABILITY = -32021;

/** A session has ended: 404 by the protocol, or what many servers return instead. */
const isStale = ({ status, problem }: Met, error: unknown): boolean =>
  problem === null &&
  (status === 404 || (status === 400 && /session/i.test(String((error as { message?: unknown })?.message))));

const whyNot = (status: number | null): string =>
  `the endpoint does not speak MCP${status === null ? '' : ` (status ${status})`}`;

/** Older servers support only one transport and reject the other. */
export const isWorthAnotherTransport = ({ reason }: McpFailure, { status }: Met): boolean =>
  reason === 'not_mcp' || (reason === 'refused' && status !== null && status >= 400);

/** The message usually comes from the server, at least in part. */
function inWords(message: unknown): string {
  const words = plain(String(message ?? ''));
  return words === '' ? '' : ` with the words ${quoted(words)}`;
}
