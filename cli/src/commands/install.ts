import type { Capstan } from '../../../sdk/src/index.ts';
import { command, localCommand } from '../command.ts';
import { usage } from '../failure.ts';
import { clientsPresent } from '../install/clients-present.ts';
import type { Step } from '../install/done.ts';
import { forget, listInstalled } from '../install/journal.ts';
import { facts, safe, table } from '../output.ts';
import { type Owned, REF, refOf } from '../ref.ts';

const install = command('install <ref>', {
  summary: 'write a server or skill into the configuration of your clients',
  about: 'Install a server or a skill for your clients. What is written can be taken back with `capstan undo`.',
  args: REF,
  options: {
    '-c, --client <name>': { about: 'claude-code, cursor, vscode, codex, gemini-cli, …; may be repeated', many: true },
    '--project': 'for the project in this folder instead of for everything you do',
    '--name <name>': 'what clients call it',
    '--force': 'replace what stands under that name',
    '--dry-run': 'show what would be written',
  },
  async call(service, asked) {
    const ref = refOf(asked.ref);
    const it = { ...asked, text: asked.ref };
    return ref.kind !== 'listing' && (await isFiles(service.capstan, ref))
      ? (await import('../install/install-skill.ts')).installSkill(service, { ...it, ref })
      : (await import('../install/install-server.ts')).installServer(service, { ...it, ref });
  },
  text: stepsText,
  after({ say }, { id }) {
    if (id !== null) say(`Take it back with: capstan undo ${id}`);
  },
});

/** A skill of the service, or one that is published there, is had as files. */
async function isFiles({ marketplace }: Capstan, { kind, ref }: Owned): Promise<boolean> {
  if (kind === 'skill') return true;
  const { sources, listing_type } = await marketplace.getListing({ id: ref });
  return listing_type === 'skill' && sources.every(({ provider }) => provider === 'capstan');
}

const installed = localCommand('installed', {
  summary: 'what this program has installed',
  about: 'List what was installed by this program and not taken back.',
  call: async ({ world }) => ({ items: await listInstalled(world) }),
  text: ({ items }) => table(items.map((it) => [it.id, it.at.slice(0, 10), it.client, it.ref])),
});

const undo = localCommand('undo [id]', {
  summary: 'take an installation back',
  about: 'Take back what was installed: the last one, or the one that is named.',
  args: { id: 'as `capstan installed` shows it' },
  options: { '--dry-run': 'show what would be taken back' },
  async call({ world }, { id, dryRun }) {
    const items = await listInstalled(world);
    const it = id === undefined ? items.at(-1) : items.find((other) => other.id === id);
    if (it === undefined) {
      const detail = id === undefined ? 'Nothing is installed.' : `Nothing installed has the id ${id}.`;
      throw usage(detail, 'capstan installed lists what can be taken back.');
    }
    const { takeBack } = await import('../install/take-back.ts');
    const steps = await takeBack(it, dryRun);
    if (!dryRun) await forget(world, it.id);
    return { id: it.id, ref: it.ref, dry_run: dryRun, steps };
  },
  text: stepsText,
});

const clients = localCommand('clients', {
  summary: 'which clients are on this machine',
  about: 'List the clients that have a configuration on this machine.',
  call: async ({ world }) => ({ items: clientsPresent(world) }),
  text: ({ items }) => table(items.map(({ client, folder }) => [client, folder])),
});

export const installing = [install, installed, undo, clients];

const WORDS: Record<Step['action'], string> = {
  ...{ written: 'written', taken_back: 'taken back', kept: 'kept', run_yourself: 'run this' },
};

function stepsText({ steps }: { steps: readonly Step[] }): string {
  return steps
    .flatMap(({ client, action, place, detail }) => [
      facts({ [client]: `${WORDS[action]}${place === '' ? '' : ` ${place}`}` }),
      ...(detail === '' ? [] : safe(detail).split('\n')).map((line) => `    ${line}`),
    ])
    .join('\n');
}
