import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type BundleVerdict, createCapstan, verifyBundle } from '../../../sdk/src/index.ts';
import { type Context, contextOf } from '../context.ts';
import { Failure, usage } from '../failure.ts';
import { facts } from '../output.ts';
import { readAll } from '../read-input.ts';
import type { World } from '../world.ts';

export function addVerify(program: Command, world: World): void {
  program
    .command('verify')
    .summary('check a receipt; offline, or against its issuer')
    .description('Check the receipt of a run. A file is checked without a network unless --issuer names a service.')
    .argument('<file or id>', 'a bundle, - for stdin, or the id of a receipt of the service')
    .option('--issuer <url>', 'whose keys are trusted; they are asked for there')
    .option('--key <file>', 'a JWK, or a JWK set, that is trusted')
    .action(async (of: string, asked: { issuer?: string; key?: string }, command: Command) => {
      const context = contextOf(world, command);
      const bundle = await bundleOf(context, of);
      const issuer =
        asked.issuer === undefined ? {} : { issuer: createCapstan({ base_url: asked.issuer, fetch: world.fetch }) };
      const key = asked.key === undefined ? {} : { issuer_key: JSON.parse(await read(world, asked.key)) };
      const verdict = await verifyBundle(bundle, { ...issuer, ...key });
      context.show(verdict, verdictText);
      if (!verdict.valid)
        throw new Failure('receipt.refused', verdict.detail, { fix: 'Do not trust what this receipt says.' });
    });
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function bundleOf(context: Context, of: string): Promise<unknown> {
  if (ID.test(of)) return (await context.open()).capstan.receipts.getReceipt({ id: of });
  const text = of === '-' ? await readAll(context.world) : await read(context.world, of);
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${of} is no JSON.`, 'Give the file that `capstan run --receipt FILE` writes, or the id of a receipt.');
  }
}

const read = (world: World, file: string): Promise<string> =>
  readFile(resolve(world.cwd, file), 'utf8').catch((error: Error) => {
    throw usage(`${file} cannot be read: ${error.message}`);
  });

function verdictText(it: BundleVerdict): string {
  if (!it.valid) return it.verdict;
  const { predicate, subject } = it.statement;
  return facts([
    ...([
      ['verdict', it.verdict],
      ['detail', it.detail],
      ['what', subject.map(({ name }) => name).join(', ')],
    ] as const),
    ...([
      ['status', predicate.status],
      ['started', predicate.started_at],
      ['finished', predicate.finished_at],
    ] as const),
    ...([
      ['isolation', predicate.environment.isolation ?? ''],
      ['key', it.key_id],
    ] as const),
    ['log', `${it.log.origin}, entry ${it.log.index} of ${it.log.size}`],
  ]);
}
