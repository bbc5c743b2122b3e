import type { Capstan } from '../../../sdk/src/index.ts';
import { command, group } from '../command.ts';
import { table } from '../output.ts';

type Scope = 'read' | 'write' | 'admin';

const own = async ({ signIns }: Capstan): Promise<{ id: string }> => ({ id: (await signIns.getCurrent()).user.id });

const about = 'Manage your API keys. Every command requires a wallet signature (--wallet-key).';

export const keys = group('keys', { summary: 'manage your API keys: list, create, revoke', about }, [
  command('list', {
    about: 'List keys, newest first. Secrets are shown only at creation.',
    isDefault: true,
    call: async ({ capstan }) => capstan.apiKeys.list(await own(capstan)),
    empty: 'No API keys. Create one: capstan keys create <name>',
    text: ({ items }) =>
      table(
        items.map((item) => [
          item.id,
          item.hint,
          item.scopes.join(','),
          item.expires_at?.slice(0, 10) ?? 'never',
          item.name,
        ]),
      ),
  }),
  command('create <name>', {
    about: 'Create a key. It is printed to stdout once.',
    args: { name: 'name of the key' },
    options: {
      '--scopes <scopes>': { about: 'read, write, admin; comma-separated', default: 'read,write' },
      '--expires <time>': 'ISO 8601, such as 2027-01-01T00:00:00Z',
    },
    call: async ({ capstan }, { name, scopes, expires }) => {
      const parts = scopes.split(',').map((part) => part.trim()) as Scope[];
      return capstan.apiKeys.create({
        ...(await own(capstan)),
        body: { name, scopes: parts, expires_at: expires },
      });
    },
    text: ({ key }) => key,
  }),
  command('revoke <id>', {
    about: 'Revoke a key immediately.',
    call: async ({ capstan }, { id }) => capstan.apiKeys.delete({ ...(await own(capstan)), key_id: id }),
    text: ({ status }) => status,
  }),
]);
