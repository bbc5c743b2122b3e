import { spawn } from 'node:child_process';
import { createVisitor, registered } from '../authorization-client.ts';
import { freePort } from '../free-port.ts';
import { ethereumWallet } from '../wallet-keys.ts';
import { openWorld } from '../world.ts';

/** The suite's leg for authorization servers: it prints the address for a browser, and a user with a wallet goes there. */

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

export async function runAuthorizationSuite(): Promise<{ passed: boolean; summary: string }> {
  const [port, callbackPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  await using world = await openWorld({ PORT: `${port}`, PUBLIC_URL: url });
  await world.listen();
  const redirect_uris = [`http://127.0.0.1:${callbackPort}/callback`];
  const { client_id } = await registered((path, init) => fetch(url + path, init), { redirect_uris });
  const of = ['--url', url, '--client-id', client_id, '--resource', `${url}/mcp/jsonrpc`, '-p', `${callbackPort}`];
  const child = spawn(process.execPath, [SUITE, 'authorization', ...of], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let visit: Promise<unknown> | undefined;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk;
      const address = new RegExp(`${url}/oauth/authorize\\?\\S+\\s`).exec(text)?.[0];
      if (address !== undefined) visit ??= letIn(url, new URL(address.trim()));
    });
  const code = await new Promise((resolve) => child.once('close', resolve));
  await visit;
  const at = text.indexOf('=== S');
  return { passed: code === 0, summary: at === -1 ? text : text.slice(at) };
}

async function letIn(url: string, { searchParams }: URL): Promise<void> {
  const { open, withWallet, decide } = createVisitor(url);
  const page = await open(Object.fromEntries(searchParams));
  await fetch(await decide(await withWallet(page, ethereumWallet())));
}
