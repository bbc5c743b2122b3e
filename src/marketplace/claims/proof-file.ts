import type { CapabilityClaimRow } from '#core/db/schema-moderation.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { isProblem, Problem } from '#core/problem/problem.ts';

/**
 * The claim file of a repository. It proves only that its author can write to the default branch, and so may speak for the
 * repository.
 */

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;
const MOST_ENTRIES = 500;

interface ProofFile {
  claims: { capability: string; publisher: string; token: string }[];
  /** `type:address`. */
  wallets: string[];
}

/** `absent`: the file is missing or invalid. `unreachable`: the host did not respond. */
type ProofRead = { file: ProofFile } | { failure: 'absent' | 'unreachable'; detail: string };

export async function readProofFile(fetch: OutboundFetch, url: string): Promise<ProofRead> {
  const found = await readText(fetch, url);
  if ('failure' in found) return found;
  const file = parseProofFile(found.text);
  return file === null
    ? { failure: 'absent', detail: 'The file is not a JSON object of the form {"claims":[…],"wallets":[…]}.' }
    : { file };
}

type TextRead = { text: string } | { failure: 'absent' | 'unreachable'; detail: string };

/** Fetches a small untrusted text file through the egress guard. */
export async function readText(fetch: OutboundFetch, url: string): Promise<TextRead> {
  try {
    const response = await fetch(url, { timeout_ms: TIMEOUT_MS, max_bytes: MAX_BYTES, max_redirects: 2 });
    if (response.ok) return { text: await response.text() };
    await response.body?.cancel();
    const { host } = new URL(url);
    const isAbsent = [401, 403, 404, 410, 451].includes(response.status);
    const detail = isAbsent
      ? `${host} did not serve the file (${response.status}).`
      : `${host} returned ${response.status}.`;
    return { failure: isAbsent ? 'absent' : 'unreachable', detail };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (isProblem(error, 'outbound.failed', 'too_large'))
      return { failure: 'absent', detail: `The file exceeds ${MAX_BYTES} bytes.` };
    return { failure: 'unreachable', detail: error.message };
  }
}

/** Null if the file is invalid. Invalid entries are ignored. */
export function parseProofFile(text: string): ProofFile | null {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const { claims, wallets } = value as { claims?: unknown; wallets?: unknown };
  return {
    claims: listOf(claims).filter(isEntry),
    wallets: listOf(wallets).filter((item) => typeof item === 'string'),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MOST_ENTRIES) : []);

function isEntry(value: unknown): value is ProofFile['claims'][number] {
  if (typeof value !== 'object' || value === null) return false;
  const { capability, publisher, token } = value as Record<string, unknown>;
  return typeof capability === 'string' && typeof publisher === 'string' && typeof token === 'string';
}

/** Whether the file confirms the claim. */
export function proves({ claims, wallets }: ProofFile, claim: CapabilityClaimRow, publisher: string): boolean {
  if (claim.method === 'wallet') return wallets.some((wallet) => sameWallet(wallet, claim.wallet));
  return claims.some(
    (candidate) =>
      candidate.token === claim.token &&
      candidate.publisher === publisher &&
      candidate.capability === claim.capability_id,
  );
}

/** Ethereum addresses ignore case, Solana addresses do not. */
const sameWallet = (a: string, b: string): boolean =>
  b.startsWith('ethereum:') ? a.toLowerCase() === b.toLowerCase() : a === b;
