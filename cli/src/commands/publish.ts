import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Published, Withdrawn } from '../../../sdk/src/index.ts';
import { signerOf } from '../client.ts';
import { command } from '../command.ts';
import { usage } from '../failure.ts';
import { facts, safe } from '../output.ts';
import { whyUnreadable } from '../read-input.ts';

export const publish = command('publish <folder> <name>', {
  summary: 'publish a skill, a harness or a rig',
  about:
    'Publish a folder with a skill (SKILL.md), a harness (HARNESS.md) or a rig (rig.yaml). With ' +
    '--wallet-key, your wallet signs the version.',
  args: { name: 'publisher/name' },
  options: {
    '--release <version>': { about: 'version, such as 1.0.0; a published version never changes', required: true },
    '--license <spdx>': { about: 'SPDX license, such as MIT', required: true },
    '--tag <tag>': { about: 'tag; repeatable', many: true },
    '--dry-run': 'validate without publishing',
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

/** Skips files of version control and editors. */
const SKIPPED = new Set(['.git', '.hg', 'node_modules', '.DS_Store', '__pycache__']);
const MOST_FILES = 1_000;

async function filesOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw usage(
      `Cannot read ${folder}: ${whyUnreadable(error)}.`,
      'Name a folder with SKILL.md, HARNESS.md or rig.yaml.',
    );
  });
  const files = entries
    .map((entry) => ({ entry, path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/') }))
    .filter(({ entry, path }) => entry.isFile() && !path.split('/').some((part) => SKIPPED.has(part)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length > MOST_FILES)
    throw usage(`${folder} contains ${files.length} files.`, `The limit is ${MOST_FILES}: choose a smaller folder.`);
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
      version: `${version} ${published ? 'published' : 'not published (dry run)'}`,
      id,
      digest,
      'signed by': claim?.wallet_address ?? 'nobody',
    }),
    ...findings.items.map((violation) => `warning  ${safe(JSON.stringify(violation))}`),
  ].join('\n');
}
