import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { report } from './serve.ts';

/** An answer of ours as it was sent: `headers` are names and values in turn. */
export interface RecordedAnswer {
  path: string;
  headers: string[];
  body: string;
}

/** The limit: `node:http` that answers with bytes from memory. Known paths get theirs, others the next in turn. */
const [file = ''] = process.argv.slice(2);
if (file !== '') serve(JSON.parse(readFileSync(file, 'utf8')));

function serve([hot, cold]: [RecordedAnswer[], RecordedAnswer[]]): void {
  const ready = ({ headers, body }: RecordedAnswer) => ({ headers, body: Buffer.from(body) });
  const byPath = new Map(hot.map((answer) => [answer.path, ready(answer)]));
  const others = cold.map(ready);
  let turn = 0;
  const server = createServer((request, response) => {
    const { headers, body } =
      byPath.get(request.url as string) ?? (others[turn++ % others.length] as (typeof others)[0]);
    response.writeHead(200, headers);
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => report(server.address()));
}
