import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** ClawHub's downloads and GitHub's archives on loopback: each path answers what the test puts there. */
export interface SkillHosts {
  url: string;
  /** Paths with their queries, in order. */
  requests: string[];
  /** By path and query; a number is a status. Anything else answers 404. */
  answers: Map<string, Uint8Array | number | { json: unknown }>;
  close(): Promise<void>;
}

export async function startSkillHosts(): Promise<SkillHosts> {
  const http = createServer((request, response) => {
    const path = request.url ?? '';
    hosts.requests.push(path);
    const answer = hosts.answers.get(path) ?? 404;
    if (typeof answer === 'number') response.writeHead(answer).end('no');
    else if (answer instanceof Uint8Array) response.writeHead(200).end(answer);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.json));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const hosts: SkillHosts = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    answers: new Map(),
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return hosts;
}
