import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { report } from './serve.ts';

/** The limit: `node:http` that answers with bytes from memory. Known paths get theirs, others the next in turn. */
const [file = ''] = process.argv.slice(2);
const [hot, cold] = JSON.parse(readFileSync(file, 'utf8')) as [[path: string, body: string][], string[]];
const byPath = new Map(hot.map(([path, body]) => [path, Buffer.from(body)]));
const others = cold.map((body) => Buffer.from(body));
let turn = 0;

const server = createServer((request, response) => {
  const body = byPath.get(request.url as string) ?? (others[turn++ % others.length] as Buffer);
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => report(server.address()));
