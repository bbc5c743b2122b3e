import { type BundleVerdict, createCapstan, verifyBundle } from '../../../sdk/src/index.ts';
import { localCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { facts } from '../output.ts';
import { parseJson, readText } from '../read-input.ts';
import { UUID } from '../ref.ts';

export const verify = localCommand('verify <receipt>', {
  summary: 'check a receipt; offline, or against its issuer',
  about: 'Check the receipt of a run. A file is checked without a network unless --issuer names a service.',
  args: { receipt: 'its file, - for stdin, or the id of one of the service' },
  options: {
    '--issuer <url>': 'whose keys are trusted; they are asked for there',
    '--key <file>': 'a JWK, or a JWK set, that is trusted',
  },
  async call(context, { receipt, issuer, key }) {
    const { world } = context;
    const bundle = await bundleOf(context, receipt);
    return verifyBundle(bundle, {
      ...(issuer === undefined ? {} : { issuer: createCapstan({ base_url: issuer, fetch: world.fetch }) }),
      ...(key === undefined ? {} : { issuer_key: await keyOf(context, key) }),
    });
  },
  text: verdictText,
  after(_, { valid, detail }) {
    if (!valid) throw new Failure('receipt.refused', detail, { fix: 'Do not trust what this receipt says.' });
  },
});

async function bundleOf({ world, open }: Context, of: string): Promise<unknown> {
  if (UUID.test(of)) return (await open()).capstan.receipts.getReceipt({ id: of });
  const fix = 'Give the file that `capstan run --receipt FILE` writes, or the id of a receipt.';
  return parseJson(await readText(world, of), of, fix);
}

type Trusted = NonNullable<NonNullable<Parameters<typeof verifyBundle>[1]>['issuer_key']>;

const keyOf = async ({ world }: Context, file: string): Promise<Trusted> =>
  parseJson(await readText(world, file), file, 'It holds the key as a JWK, or several as a JWK set.') as Trusted;

function verdictText(it: BundleVerdict): string {
  if (!it.valid) return it.verdict;
  const { predicate, subject } = it.statement;
  return facts({
    verdict: it.verdict,
    detail: it.detail,
    what: subject.map(({ name }) => name).join(', '),
    status: predicate.status,
    started: predicate.started_at,
    finished: predicate.finished_at,
    isolation: predicate.environment.isolation,
    key: it.key_id,
    log: `${it.log.origin}, entry ${it.log.index} of ${it.log.size}`,
  });
}
