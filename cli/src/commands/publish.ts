import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import type { Published } from '../../../sdk/src/index.ts';
import { contextOf } from '../context.ts';
import { usage } from '../failure.ts';
import { facts, safe } from '../output.ts';
import { walletOf } from '../wallet.ts';
import type { World } from '../world.ts';

interface Asked {
  release: string;
  license: string;
  tag: string[];
  dryRun?: boolean;
}

export function addPublish(program: Command, world: World): void {
  program
    .command('publish')
    .summary('publish a skill, a harness or a rig')
    .description(
      'Publish the folder of a skill (SKILL.md), a harness (HARNESS.md) or a rig (rig.yaml). With --wallet-key the wallet signs that it is yours.',
    )
    .argument('<folder>')
    .argument('<name>', 'publisher/name')
    .requiredOption('--release <version>', 'such as 1.0.0; it never changes')
    .requiredOption('--license <spdx>', 'such as MIT')
    .option('--tag <tag>', 'may be repeated', (it, all: string[]) => [...all, it], [])
    .option('--dry-run', 'check everything and publish nothing')
    .action(async (folder: string, name: string, asked: Asked, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const files = await filesOf(resolve(world.cwd, folder));
      const tags = asked.tag.length === 0 ? {} : { tags: asked.tag };
      const body = { name, version: asked.release, license: asked.license, files, ...tags };
      const checked = await capstan.marketplace.publishListing({ body: { ...body, dry_run: true } });
      if (asked.dryRun === true) return context.show(checked, publishedText);
      const signer = await walletOf(world, context.options.walletKey);
      const claim =
        signer === null
          ? {}
          : {
              claim: {
                wallet_type: signer.wallet_type,
                wallet_address: signer.address,
                signature: await signer.sign(checked.claim_text),
              },
            };
      context.show(await capstan.marketplace.publishListing({ body: { ...body, ...claim } }), publishedText);
    });
  const withdraw = (verb: 'unpublish' | 'yank' | 'deprecate', description: string): void => {
    program
      .command(verb)
      .description(description)
      .argument('<id>', 'of the listing')
      .requiredOption('--reason <text>', 'shown to everybody')
      .option('--release <version>', 'one version; all where left out')
      .action(async (id: string, { reason, release }: { reason: string; release?: string }, command: Command) => {
        const context = contextOf(world, command);
        const { marketplace } = (await context.open()).capstan;
        if (verb === 'unpublish' && release !== undefined)
          throw usage('A single version is yanked, not unpublished.', 'capstan yank … --release');
        const body = { reason, ...(release === undefined ? {} : { version: release }) };
        const done = await (verb === 'unpublish'
          ? marketplace.unpublishListing({ id, body: { reason } })
          : verb === 'yank'
            ? marketplace.yankListing({ id, body })
            : marketplace.deprecateListing({ id, body }));
        context.show(done, ({ name, changed }) => `${name}: ${changed.join(', ')}`);
      });
  };
  withdraw('yank', 'Keep a version for whoever pinned it, and for nobody else.');
  withdraw('deprecate', 'Advise against a version; it still runs.');
  withdraw('unpublish', 'Delete what was published; the name stays yours.');
}

/** Without what version control and editors keep beside it. */
const SKIPPED = new Set(['.git', '.hg', 'node_modules', '.DS_Store', '__pycache__']);
const MOST_FILES = 1_000;

async function filesOf(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw usage(`${folder} cannot be read: ${error.message}`);
  });
  const files = entries
    .map((it) => ({ entry: it, path: relative(folder, join(it.parentPath, it.name)).split(sep).join('/') }))
    .filter(({ entry, path }) => entry.isFile() && !path.split('/').some((part) => SKIPPED.has(part)))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  if (files.length > MOST_FILES)
    throw usage(`${folder} holds ${files.length} files; at most ${MOST_FILES} are published.`);
  return Promise.all(
    files.map(async ({ path }) => {
      const bytes = await readFile(join(folder, path));
      const text = bytes.toString('utf8');
      return Buffer.from(text).equals(bytes) ? { path, content: text } : { path, base64: bytes.toString('base64') };
    }),
  );
}

function publishedText({ published, id, name, version, digest, findings, claim }: Published): string {
  const state = published ? 'published' : 'not published: this was a check';
  return [
    facts([
      ...([
        [name, `${version} ${state}`],
        ['id', id ?? ''],
        ['digest', digest],
      ] as const),
      ['signed by', claim?.wallet_address ?? 'nobody'],
    ]),
    ...findings.items.map((it) => `warning  ${safe(JSON.stringify(it))}`),
  ].join('\n');
}
