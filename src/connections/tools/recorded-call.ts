import type { Connection } from '#connections/connections/connection.ts';
import { findConnection, type Owned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { withSignInLink } from '#connections/connections/sign-in-link.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { begunCall, endOfError, withMembers } from './call-ends.ts';
import type { ReadyOptions } from './ready-options.ts';
import type { ReadyTool } from './tool-calls.ts';

interface AskedCall extends ReadyOptions {
  tool: string;
  args: Record<string, unknown>;
  share: Share;
  signal: AbortSignal;
}

/**
 * Prepares a call and checks its arguments. A call that is refused here has a receipt, too, unless the caller has no such
 * connection: then there is no server that it was for. Throws `receipts.limit_exceeded` without a receipt.
 */
export async function readyCall(
  { db, calls, call_records, base_url }: Pick<ConnectionsDeps, 'db' | 'calls' | 'call_records' | 'base_url'>,
  of: Owned,
  { tool: name, args, share, ...options }: AskedCall,
): Promise<ReadyTool> {
  const { signal } = options;
  // Counted before anything is stored or asked of the server, so that a refusal costs neither.
  await call_records.admit(of.user_id);
  let ready: ReadyTool | undefined;
  try {
    ready = await calls.ready(of, name, options);
    await calls.check(ready, args, { share, signal });
    return ready;
  } catch (error) {
    const connection = ready?.connection ?? (await findConnection(db, of));
    if (connection === undefined) throw error;
    throw await recordRefusal({ call_records, base_url }, connection, { known: ready ?? name, args }, error, signal);
  }
}

/** Stores that a call was refused before it reached the server. Returns the error with its receipt. */
export async function recordRefusal(
  { call_records, base_url }: Pick<ConnectionsDeps, 'call_records' | 'base_url'>,
  connection: Connection,
  { known, args }: { known: ReadyTool | string; args: Record<string, unknown> },
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  const begun = begunCall(connection, { known, args, trace_id: null });
  const recorded = await call_records.refuse(begun, { ...endOfError(error, signal, false), facts: null });
  return withMembers(withSignInLink(error, base_url, connection.id), { ...recorded });
}
