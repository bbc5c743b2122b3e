import { createCapstan, type Operations } from '../../../sdk/src/index.ts';
import { signerOf } from '../client.ts';
import { command, localCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { Failure, usage } from '../failure.ts';
import { AGAIN } from '../login/tokens.ts';
import { facts } from '../output.ts';
import {
  readDevice,
  readToken,
  rememberUrl,
  type StoredToken,
  serviceUrl,
  storeDevice,
  storeToken,
} from '../profile.ts';
import { readAll } from '../read-input.ts';

const login = localCommand('login', {
  summary: 'sign in with the browser, a wallet, email or an API key',
  about: 'Sign in to the service. By default, the browser opens.',
  options: {
    '--wallet': 'use the wallet from --wallet-key',
    '--email <address>': 'use email; the password is prompted for or read from stdin',
    '--with-token': 'store an API key read from stdin',
  },
  async call(context, asked) {
    const { world, options, open } = context;
    const url = await serviceUrl(world, options.url);
    await storeToken(world, url, await tokenOf(context, url, asked));
    await rememberUrl(world, url);
    const { capstan } = await open();
    const session = await capstan.signIns.getCurrent().catch(async (error: unknown) => {
      await storeToken(world, url, null);
      throw error;
    });
    context.show(session, ({ user, tier }) => `Signed in to ${url} as ${user.display_name || user.id} (${tier}).`);
  },
});

const logout = command('logout', {
  summary: 'sign out',
  about: 'End the session at the service and delete it locally.',
  async call({ world, capstan, url }) {
    const stored = await readToken(world, url);
    // An API key has no session to end: it is only removed from this machine.
    if (stored !== null && !stored.access_token.startsWith('cap_')) await capstan.signIns.logOut().catch(() => {});
    await storeToken(world, url, null);
    return { url, signed_out: stored !== null };
  },
  text: ({ url, signed_out }) => (signed_out ? `Signed out of ${url}.` : `Not signed in to ${url}.`),
});

const whoami = command('whoami', {
  summary: 'show the account with its quota and storage',
  about: 'Show the account.',
  async call({ capstan, url, show }) {
    show(await capstan.signIns.getCurrent(), ({ user, tier, scopes, quota, storage }) =>
      facts({
        service: url,
        name: user.display_name,
        id: user.id,
        tier,
        scopes: scopes.join(', '),
        quota: quota.limit === null ? 'unlimited' : `${quota.used} of ${quota.limit} until ${quota.resets_at}`,
        ...storageFacts(storage),
      }),
    );
  },
});

type Storage = Operations['signIns']['getCurrent']['answer']['storage'];

/** An older service does not report it. */
const storageFacts = (storage: Storage | undefined): Record<string, string> =>
  storage === undefined
    ? {}
    : {
        storage: `${megabytes(storage.used_bytes)} of ${megabytes(storage.limit_bytes)}`,
        'stored for': storage.kinds
          .filter(({ used_bytes }) => used_bytes > 0)
          .toSorted((a, b) => b.used_bytes - a.used_bytes)
          .map(({ kind, used_bytes }) => `${kind} ${megabytes(used_bytes)}`)
          .join(', '),
      };

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export const signIn = [login, logout, whoami];

interface Asked {
  wallet: boolean;
  email: string | undefined;
  withToken: boolean;
}

const plain = (access_token: string, expires_at: string | null = null): StoredToken => ({
  access_token,
  refresh_token: '',
  client_id: '',
  expires_at,
});

async function tokenOf(context: Context, url: string, { withToken, email, wallet }: Asked): Promise<StoredToken> {
  const { world, options } = context;
  if (withToken) {
    const text = (await readAll(world)).trim();
    if (text === '') throw usage('stdin contains no token.', 'Pipe it in: capstan login --with-token < key.txt');
    return plain(text);
  }
  const capstan = createCapstan({ base_url: url, fetch: world.fetch });
  if (email !== undefined) {
    const password = context.isAsking ? await askHidden(context) : (await readAll(world)).replace(/\r?\n$/, '');
    const known = await readDevice(world, url);
    const device = { remember_device: true, ...(known === null ? {} : { device_token: known }) };
    const { access_token, expires_at, device_token } = await capstan.signInWithEmail({ email, password, ...device });
    if (device_token !== undefined) await storeDevice(world, url, device_token);
    return plain(access_token, expires_at);
  }
  if (wallet) {
    const signer = await signerOf(world, options.walletKey);
    if (signer === null) throw usage('No wallet key configured.', 'Set its key file: --wallet-key FILE.');
    const { access_token, expires_at } = await capstan.signInWithWallet(signer);
    return plain(access_token, expires_at);
  }
  if (!options.input)
    throw new Failure('cli.sign_in', 'Signing in with the browser requires an interactive terminal.', {
      fix: 'Use --with-token, --wallet or --email.',
      exit_code: 2,
    });
  return (await import('../login/browser.ts')).signInByBrowser(context, url);
}

/** Reads input without echo. */
async function askHidden({ world }: Context): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write('Password: ');
  stdin.setRawMode(true);
  stdin.resume();
  try {
    return await typed(world.signal);
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
      if (letter === '\u0003') return end(() => reject(new Failure('cli.cancelled', 'Cancelled.', AGAIN)));
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
