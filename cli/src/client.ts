import { type Capstan, createCapstan, type Drift, type Signer } from '../../sdk/src/index.ts';
import { Failure } from './failure.ts';
import { renewed } from './login/tokens.ts';
import { type Format, say } from './output.ts';
import { readToken, serviceUrl, storeToken } from './profile.ts';
import { walletOf } from './wallet.ts';
import type { World } from './world.ts';

export interface ClientOptions extends Format {
  url?: string;
  walletKey?: string;
}

export interface Client {
  capstan: Capstan;
  url: string;
}

/** A client of the service that is meant, with the token that is kept for it. */
export async function openClient(world: World, options: ClientOptions): Promise<Client> {
  const url = await serviceUrl(world, options.url);
  const stored = world.env.CAPSTAN_TOKEN ? null : await readToken(world, url);
  const kept = stored === null ? null : await renewed(world, url, stored);
  const signer = await walletOf(world, options.walletKey);
  const capstan = createCapstan({
    ...{ base_url: url, fetch: world.fetch, on_drift: (drift) => drifted(world, options, drift) },
    token: world.env.CAPSTAN_TOKEN || kept?.access_token || null,
    headers: { 'user-agent': 'capstan-cli/0.1.0' },
    // What a browser signed in is renewed by its own token; other sign-ins are by the service.
    ...(kept !== null && kept.refresh_token === ''
      ? {
          refresh: true,
          on_token: (token: string | null) =>
            void storeToken(world, url, token === null ? null : { ...kept, access_token: token, expires_at: null }),
        }
      : {}),
    ...(signer === null ? {} : { signer }),
  });
  return { capstan, url };
}

export const signerOr = (signer: Signer | null): Signer => {
  if (signer !== null) return signer;
  throw new Failure('cli.wallet', 'This needs a wallet to sign with.', {
    ...{ fix: 'Name the file that holds its key: --wallet-key FILE, or CAPSTAN_WALLET_KEY_FILE.', exit_code: 2 },
  });
};

/** A newer service is used with a warning; one that promises something else is not. */
function drifted(world: World, format: Format, drift: Drift): void {
  if (drift.level === 'major') throw new Failure('cli.drift', drift.advice);
  if (drift.level === 'minor') say(world, format, `note: ${drift.advice}`);
}
