import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Published, Withdrawn } from '../../../sdk/src/index.ts';
import { signerOf } from '../client.ts';
import { command } from '../command.ts';
import { usage } from '../failure.ts';
import { facts, safe } from '../output.ts';

export const publish = command('publish <folder> <name>', {
  summary: 'publish a skill, a harness or a rig',
  about:
    'Publish the folder of a skill (SKILL.md), a harness (HARNESS.md) or a rig (rig.yaml). With --wallet-key the wallet signs that it is yours.',
  args: { name: 'publisher/name' },
  options: {
    '--release <version>': { about: 'such as 1.0.0; it never changes', required: true },
    '--license <spdx>': { about: 'such as MIT', required: true },
    '--tag <tag>': { about: 'may be repeated', many: true },
    '--dry-run': 'check everything and publish nothing',
  },
  async call({ capstan, world, options, during }, { folder, name, release, license, tag, dryRun }) {
    const files = await filesOf(resolve(world.cwd, folder));
    return during(`checking ${files.length} files`, async (tell) => {
      const body = { name, version: release, license, files, tags: tag.length === 0 ? undefined : tag };
      const checked = await capstan.publishing.publish({ body: { ...body, dry_run: true } });
      if (dryRun) return checked;
      const claim = await claimOf(await signerOf(world, options.walletKey), checked.claim_text);
      tell({ label: `publishing ${name} ${release}` });
      return capstan.publishing.publish({ body: { ...body, claim } });
    });
  },
  text: publishedText,
});

/** The wallet's word that it is its own; undefined where none is named. */
async function claimOf(signer: Awaited<ReturnType<typeof signerOf>>, text: string) {
  if (signer === null) return undefined;
  const { wallet_type, address } = signer;
  return { wallet_type, wallet_address: address, signature: await signer.sign(text) };
}

const REASON = { '--reason <text>': { about: 'shown to everybody', required: true } } as const;
const args = { id: 'of the listing' };

const withdrawnText = ({ name, changed }: Withdrawn): string => `${name}: ${changed.join(', ')}`;

/** For one version or all of them. */
const advised = (verb: 'yank' | 'deprecate', about: string) =>
  command(`${verb} <id>`, {
    about,
    args,
    text: withdrawnText,
    options: { ...REASON, '--release <version>': 'one version; all where left out' },
    call({ capstan: { publishing } }, { id, reason, release }) {
      const it = { id, body: { reason, version: release } };
      return verb === 'yank' ? publishing.yank(it) : publishing.deprecate(it);
    },
  });

export const withdrawals = [
  advised('yank', 'Keep a version for whoever pinned it, and for nobody else.'),
  advised('deprecate', 'Advise against a version; it still runs.'),
  command('unpublish <id>', {
    about: 'Delete what was published; the name stays yours.',
    args,
    text: withdrawnText,
    options: REASON,
    call: ({ capstan }, { id, reason }) => capstan.publishing.unpublish({ id, body: { reason } }),
  }),
];

/** Without what version control and editors keep beside it. */
const SKIPPED = new Set(['.git', '.hg', 'node_modules', '.DS_Store', '__pycache__']);
const MOST_FILES = 1_000;

async function filesOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw usage(
      `${folder} cannot be read: ${error.message}`,
      'Name the folder that holds SKILL.md, HARNESS.md or rig.yaml.',
    );
  });
  const files = entries
    .map((it) => ({ entry: it, path: relative(folder, join(it.parentPath, it.name)).split(sep).join('/') }))
    .filter(({ entry, path }) => entry.isFile() && !path.split('/').some((part) => SKIPPED.has(part)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length > MOST_FILES)
    throw usage(
      `${folder} holds ${files.length} files.`,
      `At most ${MOST_FILES} are published: name a smaller folder.`,
    );
  return Promise.all(
    files.map(async ({ path }) => {
      const bytes = await readFile(join(folder, path));
      const text = bytes.toString('utf8');
      return Buffer.from(text).equals(bytes) ? { path, content: text } : { path, base64: bytes.toString('base64') };
    }),
  );
}

function publishedText({ published, id, name, version, digest, findings, claim }: Published): string {
  return [
    facts({
      name,
      version: `${version} ${published ? 'published' : 'not published: this was a check'}`,
      id,
      digest,
      'signed by': claim?.wallet_address ?? 'nobody',
    }),
    ...findings.items.map((it) => `warning  ${safe(JSON.stringify(it))}`),
  ].join('\n');
}
