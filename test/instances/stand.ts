import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import type { TierName } from '#accounts/quotas/tiers.ts';
import { changeUser } from '#accounts/users/users.ts';
import type { AskedPurpose } from '#accounts/wallets/purpose.ts';
import { defined } from '#core/defined.ts';
import { type FakeLlm, startLlm } from '../fakes/llm.ts';
import { type OAuthFake, startOAuthFake } from '../fakes/mcp-oauth.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../fakes/openid-provider.ts';
import { type GlamaRecords, startGlamaFake } from '../fakes/providers/glama.ts';
import { freePort } from '../free-port.ts';
import { settingsFor } from '../google-stand.ts';
import { purposeFor } from '../purpose.ts';
import { ethereumWallet, type TestWallet } from '../wallet-keys.ts';
import { type Cluster, type ClusterOptions, openCluster } from './cluster.ts';

/** Instances behind nginx with everything around them that they talk to, and people who use them. */
export interface Stand extends AsyncDisposable {
  cluster: Cluster;
  /** Asks through nginx: one request after another goes to one instance after another. */
  ask: Ask;
  /** Asks this instance itself. */
  at(url: string): Ask;
  newPerson(tier?: TierName): Promise<Person>;
  oauth: OAuthFake;
  google: OpenIdProvider;
  llm: FakeLlm;
  /** What the provider `glama` lists. */
  listed: { servers: unknown[]; set(servers: unknown[]): void };
  /** From 0 to 1, by the seed. */
  random(): number;
}

export interface Asking {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
  /** The client's address; 127.0.0.1 where left out. */
  from?: string;
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: looked at by each check
  body: any;
  /** Address of the instance that answered. */
  instance: string;
}

export type Ask = (method: string, path: string, asking?: Asking) => Promise<Answer>;

export interface Person {
  id: string;
  token: string;
  wallet: TestWallet;
  api_key: string;
  ask: Ask;
  /** Headers of a fresh signature. */
  /** For this request; for one that need not be named where none is given. */
  stepUp(request?: string): Promise<Record<string, string>>;
}

export interface StandOptions extends Pick<ClusterOptions, 'nginx' | 'serve' | 'work' | 'env' | 'root'> {
  seed: number;
}

export async function openStand({ seed, env, ...options }: StandOptions): Promise<Stand> {
  const [oauth, llm] = [await startOAuthFake(), await startLlm()];
  const glama = await startGlamaFake({ records: { servers: [], connectors: [] } });
  const port = await freePort();
  const google = await startOpenIdProvider(`http://127.0.0.1:${port}/api/auth/google/callback`);
  const cluster = await openCluster({
    ...options,
    port,
    env: {
      CAPSTAN_PROVIDERS: 'glama',
      CAPSTAN_PROVIDER_GLAMA_URL: glama.url,
      CAPSTAN_SYNC_INTERVAL: '1d',
      CAPSTAN_LLM_URL: llm.url,
      CAPSTAN_LLM_MODELS: 'fake-1',
      CAPSTAN_LLM_MODEL: 'compatible/fake-1',
      ...settingsFor(google),
      ...env,
    },
  });
  const listed = listing(glama.setRecords);
  const ask = askerAt(cluster.url);
  return {
    cluster,
    ask,
    at: askerAt,
    oauth,
    google,
    llm,
    listed,
    random: randomFrom(seed),
    newPerson: (tier = 'pro') => signUp(cluster, ask, tier),
    [Symbol.asyncDispose]: async () => {
      await cluster[Symbol.asyncDispose]();
      await Promise.all([oauth.close(), llm.close(), glama.close(), google.close()]);
    },
  };
}

function listing(setRecords: (records: GlamaRecords) => void): Stand['listed'] {
  const listed: Stand['listed'] = {
    servers: [],
    set: (servers) => {
      listed.servers = servers;
      setRecords({ servers, connectors: [] });
    },
  };
  return listed;
}

export const askerAt =
  (url: string, send: typeof fetch = fetch): Ask =>
  async (method, path, { token, body, headers = {}, from, signal } = {}) => {
    const answer = await send(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...defined({
          authorization: token === undefined ? undefined : `Bearer ${token}`,
          'content-type': body === undefined ? undefined : 'application/json',
          'x-forwarded-for': from,
        }),
        ...headers,
      },
      ...defined({ body: body === undefined ? undefined : JSON.stringify(body), signal }),
    });
    const text = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '') && text !== '';
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
      instance: answer.headers.get('x-instance') ?? '',
    };
  };

/** To sign in; with a token, to confirm. */
export async function challenge(
  ask: Ask,
  { address, wallet_type, sign }: TestWallet,
  from?: string,
  { token, purpose }: { token?: string; purpose?: AskedPurpose } = {},
) {
  const asked = await ask('POST', '/api/wallets/challenge', {
    body: { wallet_address: address, wallet_type, ...defined({ purpose }) },
    ...defined({ from, token }),
  });
  assert.equal(asked.status, 200, asked.text);
  const { challenge_id, message } = asked.body as { challenge_id: string; message: string };
  const proof = { challenge_id, wallet_address: address, signature: await sign(message) };
  return { proof, instance: asked.instance };
}

/** The challenge is made by one instance and verified by the next one. */
async function signUp({ database: { db } }: Cluster, ask: Ask, tier: TierName): Promise<Person> {
  const wallet = ethereumWallet();
  const { proof, instance } = await challenge(ask, wallet, newAddress());
  const verified = await ask('POST', '/api/wallets/verify', { body: proof, from: newAddress() });
  assert.equal(verified.status, 200, verified.text);
  assert.notEqual(verified.instance, instance);
  const { access_token: token, user } = verified.body as { access_token: string; user: { id: string } };
  const now = new Date().toISOString();
  await changeUser(db, user.id, { tier }, now);
  const order = { user_id: user.id, name: 'soak', scopes: ['read', 'write'] as const, expires_at: null };
  return {
    id: user.id,
    token,
    wallet,
    api_key: (await createApiKey(db, order, now)).key,
    ask: (method, path, asking = {}) => ask(method, path, { token, ...asking }),
    stepUp: async (request) => {
      const purpose = request === undefined ? {} : { purpose: purposeFor(request) };
      const { proof: fresh } = await challenge(ask, wallet, newAddress(), { token, ...purpose });
      return { 'x-challenge-id': fresh.challenge_id, 'x-wallet-signature': fresh.signature };
    },
  };
}

let addresses = 0;

/** Of a client that nobody has heard of, so that the limits of one check are not used up by another. */
export function newAddress(): string {
  const number = addresses++;
  return `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;
}

/** Mulberry32: small, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Resolves with the milliseconds that it took until this was so. */
export async function until(what: string, is_so: () => Promise<boolean>, most_ms = 20_000): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await is_so()) return performance.now() - began;
    if (performance.now() - began > most_ms) throw new Error(`not within ${most_ms} ms: ${what}`);
    await sleep(25);
  }
}
