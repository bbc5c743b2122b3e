import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import { table } from '../output.ts';
import type { World } from '../world.ts';

type Scope = 'read' | 'write' | 'admin';

export function addKeys(program: Command, world: World): void {
  const keys = program
    .command('keys')
    .summary('your API keys: list, create, revoke')
    .description('Your API keys. Each of these asks your wallet to sign (--wallet-key).');
  keys
    .command('list', { isDefault: true })
    .description('The newest first; the keys themselves were shown only once.')
    .action(async (_options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const { user } = await capstan.auth.getSession();
      context.show(await capstan.users.listApiKeys({ id: user.id }), ({ items }) =>
        table(
          items.map((it) => [it.id, it.hint, it.scopes.join(','), it.expires_at?.slice(0, 10) ?? 'no end', it.name]),
        ),
      );
    });
  keys
    .command('create')
    .description('Make a key. It is shown this once, on stdout.')
    .argument('<name>', 'what it is for')
    .option('--scopes <scopes>', 'read, write, admin; parted by commas', 'read,write')
    .option('--expires <time>', 'ISO 8601, such as 2027-01-01T00:00:00Z')
    .action(async (name: string, asked: { scopes: string; expires?: string }, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const { user } = await capstan.auth.getSession();
      const expires = asked.expires === undefined ? {} : { expires_at: asked.expires };
      const body = { name, scopes: asked.scopes.split(',').map((it) => it.trim()) as Scope[], ...expires };
      context.show(await capstan.users.createApiKey({ id: user.id, body }), ({ key }) => key);
    });
  keys
    .command('revoke')
    .description('End a key at once.')
    .argument('<id>')
    .action(async (key_id: string, _options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const { user } = await capstan.auth.getSession();
      context.show(await capstan.users.deleteApiKey({ id: user.id, key_id }), ({ status }) => status);
    });
}
