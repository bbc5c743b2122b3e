import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TraceAnswer } from '../../../src/core/traces/trace-answer.ts';
import type { Bundle } from '../../../src/runtime/receipts/bundle.ts';
import { usage } from '../failure.ts';
import { localState } from '../profile.ts';
import { UUID } from '../ref.ts';
import type { World } from '../world.ts';

/** Runs on this machine: input, output and trace in one file, the receipt in another, for their user alone. */

export interface LocalRun {
  id: string;
  /** The listing or the package URL. */
  ref: string;
  /** Null where the tools were listed. */
  tool: string | null;
  status: string;
  started_at: string;
  input: unknown;
  output: unknown;
  /** Base64. With it, input and output can be checked against the receipt. */
  receipt_key: string;
  trace: TraceAnswer;
  /** Path of the receipt. */
  receipt: string;
}

/** The oldest are removed. */
const MOST_RUNS = 1_000;

const foldersOf = (world: World) => ({ runs: localState(world, 'runs'), receipts: localState(world, 'receipts') });

export async function saveRun(world: World, run: Omit<LocalRun, 'receipt'>, bundle: Bundle): Promise<LocalRun> {
  const { runs, receipts } = foldersOf(world);
  for (const folder of [runs, receipts]) await mkdir(folder, { recursive: true, mode: 0o700 });
  const receipt = join(receipts, `${run.id}.json`);
  await writeFile(receipt, JSON.stringify(bundle), { mode: 0o600 });
  const saved = { ...run, receipt };
  await writeFile(join(runs, `${run.id}.json`), JSON.stringify(saved), { mode: 0o600 });
  await removeOldest(runs, receipts);
  return saved;
}

async function removeOldest(runs: string, receipts: string): Promise<void> {
  // Ids begin with the time.
  const names = (await readdir(runs)).filter((name) => UUID.test(name.replace(/\.json$/, ''))).sort();
  for (const name of names.slice(0, Math.max(0, names.length - MOST_RUNS)))
    for (const folder of [runs, receipts]) await rm(join(folder, name), { force: true });
}

/** The newest first. */
export async function listRuns(world: World, most: number): Promise<LocalRun[]> {
  const { runs } = foldersOf(world);
  const names = (await readdir(runs).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  const newest = names.slice(-most).reverse();
  return Promise.all(newest.map(async (name) => JSON.parse(await readFile(join(runs, name), 'utf8')) as LocalRun));
}

export async function readRun(world: World, id: string): Promise<LocalRun> {
  const text = UUID.test(id)
    ? await readFile(join(foldersOf(world).runs, `${id}.json`), 'utf8').catch(() => null)
    : null;
  if (text === null) throw usage(`Run not found on this machine: ${id}.`, 'Run capstan local runs to list them.');
  return JSON.parse(text) as LocalRun;
}
