import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Bundle } from '../../../src/runtime/receipts/bundle.ts';
import { signCheckpoint } from '../../../src/runtime/receipts/checkpoint.ts';
import {
  type Hash,
  inclusionSteps,
  joinRight,
  leafHash,
  type NodeAt,
  nodeHash,
  wholeSubtrees,
} from '../../../src/runtime/receipts/merkle.ts';
import type { SigningPair } from '../../../src/runtime/receipts/receipt-key.ts';
import { localState, whileLocked } from '../profile.ts';
import type { World } from '../world.ts';

/** The log of receipts on this machine: the hash of each, a line each. It is read whole, as it has a line for each run. */

type Logged = Pick<Bundle, 'log_entry' | 'checkpoint'>;

export function appendToLog(world: World, entry: Uint8Array, key: SigningPair): Promise<Logged> {
  const file = localState(world, 'log', key.id);
  return whileLocked(file, async () => {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const leaves = [...(await readLeaves(file)), leafHash(entry)];
    await appendFile(file, `${(leaves.at(-1) as Hash).toString('base64')}\n`, { mode: 0o600 });
    return loggedOf(leaves, key);
  });
}

async function readLeaves(file: string): Promise<Hash[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line, 'base64'));
}

/** Of the newest leaf. */
function loggedOf(leaves: readonly Hash[], key: SigningPair): Logged {
  const size = leaves.length;
  const join = (nodes: readonly NodeAt[]): Hash => joinRight(nodes.map((node) => hashAt(leaves, node)));
  const proof = inclusionSteps(size - 1, size).map((step) => join(step).toString('base64'));
  const root = join(wholeSubtrees(0, size));
  const checkpoint = signCheckpoint({ origin: `capstan-local/${key.id}`, size, root }, key);
  return { log_entry: { index: size - 1, size, proof }, checkpoint };
}

function hashAt(leaves: readonly Hash[], { level, position }: NodeAt): Hash {
  if (level === 0) return leaves[position] as Hash;
  const below = level - 1;
  return nodeHash(
    hashAt(leaves, { level: below, position: 2 * position }),
    hashAt(leaves, { level: below, position: 2 * position + 1 }),
  );
}
