import type { Capstan } from '../../../sdk/src/index.ts';
import { command, group } from '../command.ts';
import { table } from '../output.ts';

type Scope = 'read' | 'write' | 'admin';

const own = async ({ auth }: Capstan): Promise<{ id: string }> => ({ id: (await auth.getSession()).user.id });

const about = 'Your API keys. Each of these asks your wallet to sign (--wallet-key).';

export const keys = group('keys', { summary: 'your API keys: list, create, revoke', about }, [
  command('list', {
    about: 'The newest first; the keys themselves were shown only once.',
    isDefault: true,
    call: async ({ capstan }) => capstan.users.listApiKeys(await own(capstan)),
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
      return capstan.users.createApiKey({
        ...(await own(capstan)),
        body: { name, scopes: parts, expires_at: expires },
      });
    },
    text: ({ key }) => key,
  }),
  command('revoke <id>', {
    about: 'End a key at once.',
    call: async ({ capstan }, { id }) => capstan.users.deleteApiKey({ ...(await own(capstan)), key_id: id }),
    text: ({ status }) => status,
  }),
]);
