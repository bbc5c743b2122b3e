import type { Capstan } from '../../../sdk/src/index.ts';
import { command, group } from '../command.ts';
import { table } from '../output.ts';

type Scope = 'read' | 'write' | 'admin';

const own = async ({ signIns }: Capstan): Promise<{ id: string }> => ({ id: (await signIns.getCurrent()).user.id });

const about = 'Your API keys. Each of these asks your wallet to sign (--wallet-key).';

export const keys = group('keys', { summary: 'your API keys: list, create, revoke', about }, [
  command('list', {
    about: 'The newest first; the keys themselves were shown only once.',
    isDefault: true,
    call: async ({ capstan }) => capstan.apiKeys.list(await own(capstan)),
    text: ({ items }) =>
      table(items.map((it) => [it.id, it.hint, it.scopes.join(','), it.expires_at?.slice(0, 10) ?? 'no end', it.name])),
  }),
  command('create <name>', {
    about: 'Make a key. It is shown this once, on stdout.',
    args: { name: 'what it is for' },
    options: {
      '--scopes <scopes>': { about: 'read, write, admin; parted by commas', default: 'read,write' },
      '--expires <time>': 'ISO 8601, such as 2027-01-01T00:00:00Z',
    },
    call: async ({ capstan }, { name, scopes, expires }) => {
      const parts = scopes.split(',').map((it) => it.trim()) as Scope[];
      return capstan.apiKeys.create({
        ...(await own(capstan)),
        body: { name, scopes: parts, expires_at: expires },
      });
    },
    text: ({ key }) => key,
  }),
  command('revoke <id>', {
    about: 'End a key at once.',
    call: async ({ capstan }, { id }) => capstan.apiKeys.delete({ ...(await own(capstan)), key_id: id }),
    text: ({ status }) => status,
  }),
]);
