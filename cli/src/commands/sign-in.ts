import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import { Failure, usage } from '../failure.ts';
import { signInByBrowser } from '../login/browser.ts';
import { facts } from '../output.ts';
import { readToken, rememberUrl, type StoredToken, serviceUrl, storeToken } from '../profile.ts';
import { readAll } from '../read-input.ts';
import { walletOf } from '../wallet.ts';
import type { World } from '../world.ts';

interface Asked {
  wallet?: boolean;
  email?: string;
  withToken?: boolean;
}

export function addSignIn(program: Command, world: World): void {
  program
    .command('login')
    .summary('sign in: by the browser, a wallet, e-mail, or with an API key')
    .description('Sign in to the service. Without an option the browser is asked.')
    .option('--wallet', 'by the wallet of --wallet-key')
    .option('--email <address>', 'by e-mail and password, which is asked for or read from stdin')
    .option('--with-token', 'keep an API key that is read from stdin')
    .action(async (asked: Asked, command: Command) => {
      const context = contextOf(world, command);
      const url = await serviceUrl(world, context.options.url);
      const token = await tokenOf(context, url, asked);
      await storeToken(world, url, token);
      await rememberUrl(world, url);
      const { capstan } = await context.open();
      const session = await capstan.auth.getSession().catch(async (error: unknown) => {
        await storeToken(world, url, null);
        throw error;
      });
      context.show(session, ({ user, tier }) => `Signed in to ${url} as ${user.display_name || user.id} (${tier}).`);
    });
  program
    .command('logout')
    .summary('end the sign-in and forget it')
    .description('End the sign-in at the service, and forget it here.')
    .action(async (_options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan, url } = await context.open();
      const stored = await readToken(world, url);
      // An API key has no sign-in to end: it is only forgotten.
      if (stored !== null && !stored.access_token.startsWith('cap_')) await capstan.auth.logOut().catch(() => {});
      await storeToken(world, url, null);
      context.show({ url, signed_out: stored !== null }, () =>
        stored === null ? `Not signed in to ${url}.` : `Signed out of ${url}.`,
      );
    });
  program
    .command('whoami')
    .summary('who is signed in, with what is left of the quota')
    .description('Show who is signed in.')
    .action(async (_options: unknown, command: Command) => {
      const context = contextOf(world, command);
      const { capstan, url } = await context.open();
      context.show(await capstan.auth.getSession(), ({ user, tier, scopes, quota }) =>
        facts([
          ...([
            ['service', url],
            ['name', user.display_name],
            ['id', user.id],
            ['tier', tier],
          ] as const),
          ['scopes', scopes.join(', ')],
          ['quota', quota.limit === null ? 'unlimited' : `${quota.used} of ${quota.limit} until ${quota.resets_at}`],
        ]),
      );
    });
}

async function tokenOf(context: ReturnType<typeof contextOf>, url: string, asked: Asked): Promise<StoredToken> {
  const { world, options } = context;
  const plain = (access_token: string, expires_at: string | null): StoredToken => ({
    ...{ access_token, refresh_token: '', client_id: '', expires_at },
  });
  if (asked.withToken === true) {
    const text = (await readAll(world)).trim();
    if (text === '') throw usage('No token was read from stdin.', 'Pipe it in: capstan login --with-token < key.txt');
    return plain(text, null);
  }
  const { createCapstan } = await import('../../../sdk/src/index.ts');
  const capstan = createCapstan({ base_url: url, fetch: world.fetch });
  if (asked.email !== undefined) {
    const password = context.isAsking ? await askHidden(context) : (await readAll(world)).replace(/\r?\n$/, '');
    const { access_token, expires_at } = await capstan.signInWithEmail({ email: asked.email, password });
    return plain(access_token, expires_at);
  }
  const signer = asked.wallet === true ? await walletOf(world, options.walletKey) : null;
  if (asked.wallet === true && signer === null)
    throw usage('No wallet is named.', 'Name the file of its key: --wallet-key FILE.');
  if (signer !== null) {
    const { access_token, expires_at } = await capstan.signInWithWallet(signer);
    return plain(access_token, expires_at);
  }
  if (!options.input)
    throw new Failure('cli.sign_in', 'Signing in by the browser needs somebody to do it.', {
      fix: 'Use --with-token, --wallet or --email.',
      exit_code: 2,
    });
  return signInByBrowser(world, url, context.format);
}

/** Without showing what is typed. */
async function askHidden(context: ReturnType<typeof contextOf>): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write('Password: ');
  stdin.setRawMode(true);
  stdin.resume();
  try {
    return await typed(context.world.signal);
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stderr.write('\n');
  }
}

function typed(signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  const take = (chunk: Buffer) => {
    for (const letter of chunk.toString('utf8')) {
      if (letter === '\r' || letter === '\n') return end(() => resolve(text));
      if (letter === '\u0003') return end(() => reject(new Failure('cli.cancelled', 'Cancelled.')));
      text = letter === '\u007f' ? text.slice(0, -1) : text + letter;
    }
  };
  const end = (then: () => void) => {
    process.stdin.off('data', take);
    then();
  };
  process.stdin.on('data', take);
  signal.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
  return promise;
}
