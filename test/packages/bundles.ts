import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ZipEntry, zipOf } from './archives.ts';

/** MCPB bundles, and the loopback server they are fetched from. */

export interface BundleServer {
  origin: string;
  /** Bytes by path; every other path is a 404. */
  served: Map<string, Buffer>;
  /** Paths that answer 410. */
  gone: Set<string>;
  /** Paths, in the order of the requests. */
  requests: string[];
  close(): Promise<void>;
}

export async function openBundleServer(): Promise<BundleServer> {
  const served = new Map<string, Buffer>();
  const gone = new Set<string>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const bytes = served.get(request.url ?? '');
    response.writeHead(gone.has(request.url ?? '') ? 410 : bytes === undefined ? 404 : 200).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, served, gone, requests, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

export interface Bundle {
  server?: unknown;
  files?: readonly ZipEntry[];
  more?: Record<string, unknown>;
}

const NODE = {
  type: 'node',
  entry_point: 'server/index.js',
  mcp_config: { command: 'node', args: [`\${__dirname}/server/index.js`] },
};
export const INDEX = {
  path: 'server/index.js',
  bytes: 'console.log(process.argv.slice(2).join(), process.env.KEY, process.env.PLACE)',
};

export const bundleOf = ({ server: declared = NODE, files = [INDEX], more = {} }: Bundle = {}): Buffer =>
  zipOf([{ path: 'manifest.json', bytes: JSON.stringify({ name: 'weather', ...more, server: declared }) }, ...files]);
