import { basename, join } from 'node:path';
import type { Capstan } from '../../../sdk/src/index.ts';
import { command, localCommand } from '../command.ts';
import { usage } from '../failure.ts';
import { clientsPresent } from '../install/clients-present.ts';
import type { Step } from '../install/done.ts';
import { forget, listInstalled } from '../install/journal.ts';
import { facts, safe, table } from '../output.ts';
import { type Owned, REF, refOf } from '../ref.ts';

const install = command('install <ref>', {
  summary: 'write a server or skill for your clients, a rig or harness into your project',
  about:
    'Install a server or a skill for your clients, or a published rig or harness into the project in this folder. What is written can be taken back with `capstan undo`.',
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
    const type = ref.kind === 'listing' ? null : await typeOfFiles(service.capstan, ref);
    if (ref.kind === 'listing' || type === null)
      return { ...(await (await import('../install/install-server.ts')).installServer(service, { ...it, ref })), type };
    const { installInProject, installSkill } = await import('../install/install-skill.ts');
    const done = await (type === 'skill'
      ? installSkill(service, { ...it, ref })
      : installInProject(service, { ...it, ref }, type));
    return { ...done, type };
  },
  text: stepsText,
  after({ say }, { id, type, ref, steps }) {
    const [place = ''] = steps.map((step) => step.place);
    const name = basename(place);
    if (type === 'rig') {
      say(`Run it as it is published: capstan run ${ref} --input …`);
      say(
        `Or as a rig of yours: capstan rigs create ${join(place, 'rig.yaml')}, capstan rigs lock ${name}, capstan rigs run ${name}`,
      );
    }
    if (type === 'harness') say(`Run it as it is published: capstan run ${ref} --input '{"prompt":"…"}'`);
    if (id !== null) say(`Take it back with: capstan undo ${id}`);
  },
});

type FilesType = 'skill' | 'rig' | 'harness';

/** What is installed as files: a skill of the service, or what is published there; null for anything else. */
async function typeOfFiles({ listings }: Capstan, { kind, ref }: Owned): Promise<FilesType | null> {
  if (kind === 'skill') return 'skill';
  const { sources, listing_type } = await listings.get({ id: ref });
  const is_published = sources.some(({ provider }) => provider === 'capstan');
  return is_published && listing_type !== 'server' ? listing_type : null;
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
  written: 'written',
  taken_back: 'taken back',
  kept: 'kept',
  run_yourself: 'run this',
};

function stepsText({ steps }: { steps: readonly Step[] }): string {
  return steps
    .flatMap(({ client, action, place, detail }) => [
      facts({ [client]: `${WORDS[action]}${place === '' ? '' : ` ${place}`}` }),
      ...(detail === '' ? [] : safe(detail).split('\n')).map((line) => `    ${line}`),
    ])
    .join('\n');
}
