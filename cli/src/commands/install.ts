import { basename, join } from 'node:path';
import type { Capstan } from '../../../sdk/src/index.ts';
import { command, localCommand } from '../command.ts';
import { usage } from '../failure.ts';
import { clientsPresent } from '../install/clients-present.ts';
import type { Step } from '../install/done.ts';
import { forget, listInstalled } from '../install/journal.ts';
import { facts, safe, table } from '../output.ts';
import { listedRefOf, type Owned, REF } from '../ref.ts';

const install = command('install [ref]', {
  summary: 'install a server or skill for your clients, or a rig or harness into your project',
  about:
    'Install a server or a skill for your clients, or a published rig or harness into the current project. With --mine, ' +
    'install all of your connections as one server, with a token for it alone. ' +
    'Use `capstan undo` to revert.',
  args: REF,
  options: {
    '-c, --client <name>': { about: 'claude-code, cursor, vscode, codex, gemini-cli, …; repeatable', many: true },
    '--mine': 'install your connections as one server, instead of <ref>',
    '--connection <id[=tool,…]>': {
      about: 'with --mine: a connection, with the tools to offer; default: all connections and tools; repeatable',
      many: true,
    },
    '--project': 'install for the current project only',
    '--name <name>': 'name of the entry in the clients',
    '--force': 'overwrite an existing entry',
    '--dry-run': 'show the changes without writing them',
  },
  async call(service, asked) {
    if (asked.mine) {
      if (asked.ref !== undefined) throw usage('--mine cannot be used with a reference.', 'Remove one of them.');
      const { installMine } = await import('../install/install-mine.ts');
      return { ...(await installMine(service, asked)), type: null };
    }
    if (asked.ref === undefined)
      throw usage('Name what to install, or use --mine.', 'For example: capstan install --mine.');
    if (asked.connection.length > 0) throw usage('--connection can only be used with --mine.', 'Remove it.');
    const ref = listedRefOf(asked.ref);
    const chosen = { ...asked, text: asked.ref };
    const type = ref.kind === 'listing' ? null : await typeOfFiles(service.capstan, ref);
    if (ref.kind === 'listing' || type === null)
      return {
        ...(await (await import('../install/install-server.ts')).installServer(service, { ...chosen, ref })),
        type,
      };
    const { installInProject, installSkill } = await import('../install/install-skill.ts');
    const done = await (type === 'skill'
      ? installSkill(service, { ...chosen, ref })
      : installInProject(service, { ...chosen, ref }, type));
    return { ...done, type };
  },
  text: stepsText,
  after({ say }, done) {
    const { id, type, ref, steps } = done;
    const [place = ''] = steps.map((step) => step.place);
    const name = basename(place);
    if (type === 'rig') {
      say(`Run the published version: capstan run ${ref} --input …`);
      say(
        `Or create your own rig: capstan rigs create ${join(place, 'rig.yaml')}, capstan rigs lock ${name}, capstan rigs run ${name}`,
      );
    }
    if (type === 'harness') say(`Run the published version: capstan run ${ref} --input '{"prompt":"…"}'`);
    if (id !== null) say(`To revert: capstan undo ${id}`);
    if ('endpoint' in done && done.endpoint !== null)
      say(`To change its tools or revoke its token: capstan endpoints show ${done.endpoint}`);
  },
});

type FilesType = 'skill' | 'rig' | 'harness';

/** Capabilities installed as files: a skill of the service, or something published there; null for anything else. */
async function typeOfFiles({ listings }: Capstan, { kind, ref }: Owned): Promise<FilesType | null> {
  if (kind === 'skill') return 'skill';
  const { sources, listing_type } = await listings.get({ id: ref });
  const isPublished = sources.some(({ provider }) => provider === 'capstan');
  return isPublished && listing_type !== 'server' ? listing_type : null;
}

const installed = localCommand('installed', {
  summary: 'list installed capabilities',
  about: 'List what capstan has installed and not reverted.',
  call: async ({ world }) => ({ items: await listInstalled(world) }),
  empty: 'Nothing is installed. Install something: capstan install <ref>',
  text: ({ items }) => table(items.map((item) => [item.id, item.at.slice(0, 10), item.client, item.ref])),
});

const undo = localCommand('undo [id]', {
  summary: 'revert an installation',
  about: 'Revert the last installation, or the given one.',
  args: { id: 'id from `capstan installed`' },
  options: { '--dry-run': 'show the changes without reverting them' },
  async call({ world }, { id, dryRun }) {
    const items = await listInstalled(world);
    const item = id === undefined ? items.at(-1) : items.find((other) => other.id === id);
    if (item === undefined) {
      const detail = id === undefined ? 'Nothing is installed.' : `Installation not found: ${id}.`;
      throw usage(detail, 'Run capstan installed to list installations.');
    }
    const { takeBack } = await import('../install/take-back.ts');
    const steps = await takeBack(item, dryRun);
    if (!dryRun) await forget(world, item.id);
    return { id: item.id, ref: item.ref, dry_run: dryRun, steps };
  },
  text: stepsText,
});

const clients = localCommand('clients', {
  summary: 'list clients on this machine',
  about: 'List the clients with a configuration on this machine.',
  call: async ({ world }) => ({ items: clientsPresent(world) }),
  empty: 'No MCP clients were found on this machine. capstan install --help lists the supported ones.',
  text: ({ items }) => table(items.map(({ client, folder }) => [client, folder])),
});

export const installing = [install, installed, undo, clients];

const WORDS: Record<Step['action'], string> = {
  written: 'written',
  taken_back: 'reverted',
  kept: 'kept',
  run_yourself: 'run this',
};

export function stepsText({ steps }: { steps: readonly Step[] }): string {
  return steps
    .flatMap(({ client, action, place, detail }) => [
      facts({ [client]: `${WORDS[action]}${place === '' ? '' : ` ${place}`}` }),
      ...(detail === '' ? [] : safe(detail).split('\n')).map((line) => `    ${line}`),
    ])
    .join('\n');
}
