import { type BundleVerdict, type Capstan, createCapstan, verifyBundle } from '../../../sdk/src/index.ts';
import { localCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { facts } from '../output.ts';
import { parseJson, readText } from '../read-input.ts';
import { UUID } from '../ref.ts';

export const verify = localCommand('verify <receipt>', {
  summary: 'check a receipt; offline, or against its issuer',
  about:
    'Check the receipt of a run. A file is checked without a network unless --issuer names a service; of an id, the service ' +
    'that it is asked for is the issuer. Exit code: 0 valid, signed by a trusted issuer; 1 refused; 2 wrong usage; 3 consistent, ' +
    'but the issuer is unknown.',
  args: { receipt: 'its file, - for stdin, or the id of one of the service' },
  options: {
    '--issuer <url>': 'whose keys are trusted; they are asked for there',
    '--key <file>': 'a JWK, or a JWK set, that is trusted',
  },
  async call(context, { receipt, issuer, key }) {
    const { world } = context;
    const { bundle, from } = await bundleOf(context, receipt);
    const named = issuer === undefined ? undefined : createCapstan({ base_url: issuer, fetch: world.fetch });
    const asked = named ?? (key === undefined ? from : undefined);
    return verifyBundle(bundle, {
      ...(asked === undefined ? {} : { issuer: asked }),
      ...(key === undefined ? {} : { issuer_key: await keyOf(context, key) }),
    });
  },
  text: verdictText,
  after(_, { valid, consistent, verdict, detail }) {
    if (valid) return;
    if (consistent && verdict !== 'refused')
      throw new Failure('receipt.issuer_unknown', detail, {
        fix: 'Name whose keys to trust: --issuer URL or --key FILE.',
        exit_code: EXIT.issuer_unknown,
      });
    throw new Failure('receipt.refused', detail, { fix: 'Do not trust what this receipt says.' });
  },
});

/** Of an id also the service that is asked, which is the issuer of its own receipts. */
async function bundleOf({ world, open }: Context, of: string): Promise<{ bundle: unknown; from?: Capstan }> {
  if (UUID.test(of)) {
    const { capstan } = await open();
    return { bundle: await capstan.receipts.get({ id: of }), from: capstan };
  }
  const fix = 'Give the file that `capstan run --receipt FILE` writes, or the id of a receipt.';
  return { bundle: parseJson(await readText(world, of), of, fix) };
}

type Trusted = NonNullable<NonNullable<Parameters<typeof verifyBundle>[1]>['issuer_key']>;

const keyOf = async ({ world }: Context, file: string): Promise<Trusted> =>
  parseJson(await readText(world, file), file, 'It holds the key as a JWK, or several as a JWK set.') as Trusted;

function verdictText(it: BundleVerdict): string {
  if (!('statement' in it)) return it.verdict;
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
