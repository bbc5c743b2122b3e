import { group, localCommand } from '../command.ts';
import { facts, table } from '../output.ts';

/** What `--local` keeps on this machine. The boxes are loaded by the commands that need them. */

const servers = [
  localCommand('list', {
    about: 'List the servers that clients of this machine start in boxes.',
    isDefault: true,
    call: async ({ world }) => {
      const { listServers, shownServer } = await import('../local/servers.ts');
      return { items: (await listServers(world)).map(shownServer) };
    },
    empty: 'No servers on this machine. Add one: capstan connect <server> --local',
    text: ({ items }) => table(items.map(({ name, purl, hosts }) => [name, purl, hosts.join(', ') || 'no hosts'])),
  }),
  localCommand('remove <name>', {
    about: 'Remove a server, and its secrets, from this machine. `capstan undo` also removes its entry in clients.',
    call: async ({ world }, { name }) => {
      const { readServer, removeServer } = await import('../local/servers.ts');
      await readServer(world, name);
      await removeServer(world, name);
      return { name };
    },
    text: () => 'removed',
  }),
];

const runs = [
  localCommand('runs', {
    about: 'List runs on this machine, newest first.',
    options: { '--limit <count>': { about: 'maximum number of runs', default: 20, whole: true } },
    call: async ({ world }, { limit }) => {
      const { listRuns } = await import('../local/runs.ts');
      return { items: await listRuns(world, limit) };
    },
    empty: 'No runs on this machine. Start one: capstan run <ref> --local',
    text: ({ items }) =>
      table(
        items.map(({ id, status, started_at, ref, tool }) => [id, status, started_at.slice(0, 19), tool ?? '', ref]),
      ),
  }),
  localCommand('show <id>', {
    about: 'Show a run on this machine: input, output, trace, and where its receipt is.',
    call: async ({ world }, { id }) => (await import('../local/runs.ts')).readRun(world, id),
    text: ({ id, ref, tool, status, started_at, output, receipt, trace }) =>
      [
        facts({ run: id, ref, tool, status, started: started_at, receipt }),
        ...trace.spans.flatMap(({ attributes }) => facts(Object.fromEntries(textsOf(attributes)))),
        JSON.stringify(output, null, 2),
      ].join('\n'),
  }),
];

const textsOf = (attributes: Record<string, unknown>): [string, string][] =>
  Object.entries(attributes).map(([name, value]) => [name, Array.isArray(value) ? value.join('\n') : `${value}`]);

const machine = [
  localCommand('key', {
    about: 'Print the public key that verifies receipts of this machine, for `capstan verify --key FILE`.',
    call: async ({ world }) => (await import('../local/key.ts')).publicKeyOf(world),
    text: (jwk) => JSON.stringify(jwk),
  }),
  localCommand('check', {
    about: 'Check whether this machine can run packages in boxes, and say what is missing.',
    call: async (context) => (await import('../local/check.ts')).checkLocal(context),
    text: ({ isolation, detail }) => facts({ isolation, detail }),
  }),
];

export const local = group(
  'local',
  {
    summary: 'servers, runs and the key of `run --local` and `connect --local`',
    about: 'Manage what --local keeps on this machine.',
  },
  [...servers, ...runs, ...machine],
);

export const serveLocal = localCommand('serve-local <name>', {
  summary: 'run a server that was connected with --local; clients start it',
  about: 'Start a server in a box and speak MCP over stdin and stdout. Entries written by `connect --local` run this.',
  call: async (context, { name }) => (await import('../local/serve.ts')).serveLocal(context, name),
});
