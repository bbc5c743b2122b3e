import { existsSync } from 'node:fs';
import {
  type BundleVerdict,
  type Capstan,
  createCapstan,
  isLocal,
  type RunStatement,
  verifyBundle,
} from '../../../sdk/src/index.ts';
import { localCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { facts } from '../output.ts';
import { localKeyFile } from '../profile.ts';
import { parseJson, readText } from '../read-input.ts';
import { UUID } from '../ref.ts';
import type { World } from '../world.ts';

export const verify = localCommand('verify <receipt>', {
  summary: 'verify a receipt, offline or against its issuer',
  about:
    'Verify the receipt of a run. Files are verified offline unless --issuer names a service. For an id, ' +
    'the current service is the issuer. Exit codes: 0 valid, signed by a trusted issuer; 1 invalid; 2 ' +
    'usage error; 3 consistent, but the issuer is unknown.',
  args: { receipt: 'receipt file, - for stdin, or receipt id' },
  options: {
    '--issuer <url>': 'trust the keys published by this service',
    '--key <file>': 'trusted key: a JWK or JWK set',
  },
  async call(context, { receipt, issuer, key }) {
    const { world } = context;
    const { bundle, from } = await bundleOf(context, receipt);
    const named = issuer === undefined ? undefined : createCapstan({ base_url: issuer, fetch: world.fetch });
    const asked = named ?? (key === undefined ? from : undefined);
    const issuer_key =
      key !== undefined ? await keyOf(context, key) : asked === undefined ? await ownKey(world, bundle) : null;
    return verifyBundle(bundle, {
      ...(asked === undefined ? {} : { issuer: asked }),
      ...(issuer_key === null ? {} : { issuer_key }),
    });
  },
  text: verdictText,
  after(_, answer) {
    const { valid, consistent, verdict, detail } = answer;
    if (valid) return;
    if (consistent && verdict !== 'refused')
      throw new Failure('receipt.issuer_unknown', detail, {
        fix: isLocal(answer.statement)
          ? 'Get the key from the owner of the machine (capstan local key prints it there), then use --key FILE.'
          : 'Name a trusted issuer: --issuer URL or --key FILE.',
        exit_code: EXIT.issuer_unknown,
      });
    throw new Failure('receipt.refused', detail, { fix: 'Do not trust this receipt.' });
  },
});

/** The key of this machine where it signed the bundle: its user needs no file to trust it. */
async function ownKey(world: World, bundle: unknown): Promise<Trusted | null> {
  const { jwk } = (bundle ?? {}) as { jwk?: { x?: unknown } };
  if (!existsSync(localKeyFile(world))) return null;
  const own = await (await import('../local/key.ts')).publicKeyOf(world);
  return own.x === jwk?.x ? own : null;
}

/** For an id, also the service, which is the issuer of its receipts. */
async function bundleOf({ world, open }: Context, of: string): Promise<{ bundle: unknown; from?: Capstan }> {
  if (UUID.test(of)) {
    const { capstan } = await open();
    return { bundle: await capstan.receipts.get({ id: of }), from: capstan };
  }
  const fix = 'Use a file written by `capstan run --receipt FILE`, or a receipt id.';
  return { bundle: parseJson(await readText(world, of), of, fix) };
}

type Trusted = NonNullable<NonNullable<Parameters<typeof verifyBundle>[1]>['issuer_key']>;

const keyOf = async ({ world }: Context, file: string): Promise<Trusted> =>
  parseJson(await readText(world, file), file, 'It must contain a JWK or a JWK set.') as Trusted;

function verdictText(bundleVerdict: BundleVerdict): string {
  if (!('statement' in bundleVerdict)) return bundleVerdict.verdict;
  const { predicate, subject } = bundleVerdict.statement;
  return facts({
    verdict: bundleVerdict.verdict,
    detail: bundleVerdict.detail,
    what: subject.map(({ name }) => name).join(', '),
    status: predicate.status,
    started: predicate.started_at,
    finished: predicate.finished_at,
    isolation: predicate.environment.isolation,
    ...(isLocal(bundleVerdict.statement) ? LOCAL_FACTS : {}),
    ...packageFacts(predicate),
    key: bundleVerdict.key_id,
    log: `${bundleVerdict.log.origin}, entry ${bundleVerdict.log.index} of ${bundleVerdict.log.size}`,
  });
}

const LOCAL_FACTS = {
  signer: 'a local key of a user’s machine, not a service',
  proves: 'that the holder of this key states it, and that nobody has changed it since',
  'does not prove': 'that the run took place, or that a service observed it',
};

/** What version 0.2 of receipts adds for packages and native scripts. */
function packageFacts(predicate: RunStatement['predicate']): Record<string, string> {
  const ran = 'package' in predicate ? predicate.package : undefined;
  const hosts = 'hosts' in predicate.environment ? predicate.environment.hosts : undefined;
  const shown: Record<string, string> = {};
  if (ran !== undefined) Object.assign(shown, { package: ran.purl, tree: `sha256:${ran.tree_sha256}` });
  if (hosts === undefined) return shown;
  const names = (uses: readonly { host: string }[]) => [...new Set(uses.map(({ host }) => host))].join(', ') || 'none';
  return Object.assign(shown, { 'hosts reached': names(hosts.reached), 'hosts refused': names(hosts.refused) });
}
