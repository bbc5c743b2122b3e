import { type Capstan, createCapstan, type Drift, type Signer } from '../../sdk/src/index.ts';
import { Failure, RELEASE } from './failure.ts';
import { renewed } from './login/tokens.ts';
import { readToken, serviceUrl, storeToken } from './profile.ts';
import { VERSION } from './version.ts';
import type { World } from './world.ts';

export interface ClientOptions {
  url?: string;
  walletKey?: string;
}

export interface Client {
  capstan: Capstan;
  url: string;
}

/** A client of the service that is meant, with the token that is kept for it. `say` hears what is worth a note. */
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
    headers: { 'user-agent': `capstan-cli/${VERSION}` },
    // What a browser signed in is renewed by its own token; other sign-ins are by the service.
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

/** The wallet that is named; null for none. */
export async function signerOf(world: World, given: string | undefined): Promise<Signer | null> {
  const file = given ?? world.env.CAPSTAN_WALLET_KEY_FILE;
  return file ? (await import('./wallet.ts')).walletOf(world, file) : null;
}

/** A newer service is used with a note; one that promises something else is not. */
function drifted(drift: Drift, say: (text: string) => void): void {
  if (drift.level === 'major') throw new Failure('cli.drift', drift.advice, { fix: RELEASE });
  if (drift.level === 'minor') say(`note: ${drift.advice}`);
}
