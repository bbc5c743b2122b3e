import { type Capstan, createCapstan, type Drift, type Signer } from '../../sdk/src/index.ts';
import { Failure, RELEASE } from './failure.ts';
import { renewed } from './login/tokens.ts';
import { readToken, serviceUrl, storeToken } from './profile.ts';
import { VERSION } from './version.ts';
import type { World } from './world.ts';

export interface ClientOptions {
  url?: string;
  walletKey?: string;
  /** The command, which the service counts installations by. */
  command?: string;
}

export interface Client {
  capstan: Capstan;
  url: string;
}

/** A client of the selected service with its stored token. `say` receives notes. */
export async function openClient(world: World, options: ClientOptions, say: (text: string) => void): Promise<Client> {
  const url = await serviceUrl(world, options.url);
  const stored = world.env.CAPSTAN_TOKEN ? null : await readToken(world, url);
  const kept = stored === null ? null : await renewed(world, url, stored);
  const signer = await signerOf(world, options.walletKey);
  const capstan = createCapstan({
    base_url: url,
    fetch: world.fetch,
    on_drift: (drift) => drifted(drift, say),
    token: world.env.CAPSTAN_TOKEN || kept?.access_token || null,
    headers: { 'user-agent': `capstan-cli/${VERSION}${options.command === 'install' ? ' (install)' : ''}` },
    // Browser sign-ins are renewed with their refresh token; other sign-ins are renewed by the service.
    ...(kept !== null && kept.refresh_token === ''
      ? {
          refresh: true,
          on_token: (token: string | null) =>
            void storeToken(world, url, token === null ? null : { ...kept, access_token: token, expires_at: null }),
        }
      : {}),
    signer: signer ?? undefined,
  });
  return { capstan, url };
}

/** The selected wallet, or null. */
export async function signerOf(world: World, given: string | undefined): Promise<Signer | null> {
  const file = given ?? world.env.CAPSTAN_WALLET_KEY_FILE;
  return file ? (await import('./wallet.ts')).walletOf(world, file) : null;
}

/** A newer service is used with a note; an incompatible one is rejected. */
function drifted(drift: Drift, say: (text: string) => void): void {
  if (drift.level === 'major') throw new Failure('cli.drift', drift.advice, { fix: RELEASE });
  if (drift.level === 'minor') say(`note: ${drift.advice}`);
}
