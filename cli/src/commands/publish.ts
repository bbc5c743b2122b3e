import type { Answer, Capstan, Input, Published, Withdrawn } from '../../../sdk/src/index.ts';
import { ciIdentity } from '../ci-identity.ts';
import { signerOf } from '../client.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { facts, safe } from '../output.ts';
import { type GivenFiles, type PublishSource, sourceOf } from '../publish-source.ts';

export const publish = command('publish <source> [name]', {
  summary: 'publish a skill, a harness or a rig',
  about:
    'Publish a folder, an archive or a public repository with a skill (SKILL.md), a harness (HARNESS.md) or a rig ' +
    '(rig.yaml). With --wallet-key, your wallet signs the version. With --ci, the job of a trusted workflow publishes ' +
    'without a key.',
  args: { source: 'folder, .zip or .tar.gz, or https address', name: 'publisher/name; default: from the files' },
  options: {
    '--release <version>': 'version, such as 1.0.0; default: from the files, or the next one; it never changes',
    '--license <spdx>': 'SPDX license, such as MIT; default: from the files',
    '--tag <tag>': { about: 'tag; repeatable', many: true },
    '--folder <path>': 'in the archive or repository, if it has several to publish',
    '--dry-run': 'validate without publishing',
    '--ci': 'publish with the identity of this CI job (capstan trust add)',
  },
  async call(context, { source: given, name, release, license, tag, folder, dryRun, ci }) {
    const { capstan, world, options, during, say } = context;
    const source = await sourceOf(world, given);
    const asked = { name, version: release, license };
    const tags = tag.length === 0 ? undefined : tag;
    if (ci) return publishFromCi(context, { ...wholeForCi(asked, source), tags, dry_run: dryRun });
    return during('checking the files', async (tell) => {
      const order = await orderOf(capstan, { ...source, folder }, asked, say);
      const body = { ...order, tags };
      const checked = await capstan.publishing.publish({ body: { ...body, dry_run: true } });
      if (dryRun) return checked;
      const claim = await claimOf(await signerOf(world, options.walletKey), checked.claim_text);
      tell({ label: `publishing ${order.name} ${order.version}` });
      return capstan.publishing.publish({ body: { ...body, claim } });
    });
  },
  text: publishedText,
});

interface Named {
  name: string | undefined;
  version: string | undefined;
  license: string | undefined;
}
type Order = { name: string; version: string; license: string; files: GivenFiles };

/** Fills in what was not given, from the files and what changed since the last version. */
async function orderOf(
  { publishing }: Capstan,
  source: PublishSource & { folder: string | undefined },
  { name, version, license }: Named,
  say: Context['say'],
): Promise<Order> {
  const { files } = source;
  if (files !== undefined && name !== undefined && version !== undefined && license !== undefined)
    return { name, version, license, files };
  const checked = await publishing.check({ body: { ...source, name, version, license } });
  refuseErrors(checked, say);
  const found = { name: checked.name, version: checked.version, license: checked.license };
  if (found.name === '')
    throw usage(
      'Your account has no publisher name yet.',
      'Choose one: capstan publish SOURCE your-name/name-in-the-files',
    );
  if (found.license === '') throw usage('The files name no license.', 'Use --license, such as --license Apache-2.0.');
  if (version === undefined) say(`version ${found.version}: ${checked.suggestion.reason}`);
  return { ...found, files: checked.contents ?? files ?? [] };
}

/** Each error with its place and fix, before anything is said about name or license. */
function refuseErrors({ findings }: Answer<'marketplace.publishing.check'>, say: Context['say']): void {
  if (findings.errors === 0) return;
  for (const { severity, path, line, detail, fix } of findings.items)
    if (severity === 'error') say(`error  ${path}:${line}  ${detail} ${fix}`);
  const count = findings.errors === 1 ? 'one error' : `${findings.errors} errors`;
  throw usage(`The checks found ${count}; nothing was published.`, 'Mend the files and run the command again.');
}

/** A job has no account that could be asked. */
function wholeForCi({ name, version, license }: Named, { files }: PublishSource): Order {
  if (files === undefined)
    throw usage('In CI, only a folder is published.', 'Name the folder that the job checked out.');
  if (name === undefined || version === undefined || license === undefined)
    throw usage(
      'In CI, name, --release and --license are required.',
      'Such as: your-name/words --release 1.2.0 --license MIT',
    );
  return { name, version, license, files };
}

async function publishFromCi(
  { capstan, world, during }: Pick<Context, 'world' | 'during'> & { capstan: Capstan },
  body: NonNullable<Input<'marketplace.trustedPublishers.publish'>['body']>,
): Promise<Published> {
  const { trustedPublishers } = capstan;
  return during(`publishing ${body.name} ${body.version}`, async () => {
    const { audience } = await trustedPublishers.listIssuers();
    const identity = await ciIdentity(world, audience);
    const { token } = await trustedPublishers.exchange({ body: { token: identity, listing: body.name } });
    return trustedPublishers.publish({ body }, { headers: { authorization: `Bearer ${token}` } });
  });
}

/** The wallet's signed claim of authorship; undefined without a wallet. */
async function claimOf(signer: Awaited<ReturnType<typeof signerOf>>, text: string) {
  if (signer === null) return undefined;
  const { wallet_type, address } = signer;
  return { wallet_type, wallet_address: address, signature: await signer.sign(text) };
}

const REASON = { '--reason <text>': { about: 'public reason', required: true } } as const;
const args = { id: 'listing id' };

const withdrawnText = ({ name, changed }: Withdrawn): string => `${name}: ${changed.join(', ')}`;

/** Applies to one version or all of them. */
const advised = (verb: 'yank' | 'deprecate', about: string) =>
  command(`${verb} <id>`, {
    about,
    args,
    text: withdrawnText,
    options: { ...REASON, '--release <version>': 'one version; default: all' },
    call({ capstan: { publishing } }, { id, reason, release }) {
      const asked = { id, body: { reason, version: release } };
      return verb === 'yank' ? publishing.yank(asked) : publishing.deprecate(asked);
    },
  });

export const withdrawals = [
  advised('yank', 'Yank a version: it stays available only to clients that pinned it.'),
  advised('deprecate', 'Deprecate a version; it can still be run.'),
  command('unpublish <id>', {
    about: 'Unpublish a listing. You keep its name.',
    args,
    text: withdrawnText,
    options: REASON,
    call: ({ capstan }, { id, reason }) => capstan.publishing.unpublish({ id, body: { reason } }),
  }),
];

function publishedText({ published, id, name, version, digest, findings, claim }: Published): string {
  return [
    facts({
      name,
      version: `${version} ${published ? 'published' : 'not published (dry run)'}`,
      id,
      digest,
      'signed by': claim?.wallet_address ?? 'nobody',
    }),
    ...findings.items.map(({ path, line, detail, fix }) => safe(`warning  ${path}:${line}  ${detail} ${fix}`)),
  ].join('\n');
}
