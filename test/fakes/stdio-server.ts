import { spawn } from 'node:child_process';
import type { StdioServer } from '#core/mcp/stdio-session.ts';

/** MCP servers of both eras as processes. */

/**
 * The program of a server with the tools `now`, `sleep` and `die`; `first` is run before it answers anything. With `die` it exits in
 * the middle of the call.
 */
export const stdioProgram = (first = ''): string => `
  ${first}
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const tools = ['now', 'sleep', 'die'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'clock', version: '1' },
    }),
    'tools/list': () => ({ tools }),
    'tools/call': ({ name }) => {
      if (name === 'die') process.exit(7);
      return name === 'sleep' ? undefined : { content: [{ type: 'text', text: 'noon' }] };
    },
  };
  let rest = '';
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
      if (id === undefined) continue;
      const answer = answers[method];
      if (answer === undefined) send({ id, error: { code: -32601, message: 'no ' + method } });
      else {
        const result = answer(params);
        if (result !== undefined) send({ id, result });
      }
    }
  });`;

/** Started as a box would be, with how it ended. */
export async function startStdio(program: string): Promise<StdioServer & { pid: number }> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'ignore'] });
  let killed = false;
  const gone = new Promise<Awaited<StdioServer['gone']>>((resolve) =>
    child.once('exit', (code) =>
      resolve({ reason: killed ? 'killed' : 'exited', message: `The program ended with exit code ${code}.` }),
    ),
  );
  const kill = () => {
    killed = true;
    child.kill('SIGKILL');
  };
  return { stdin: child.stdin, stdout: child.stdout, kill, gone, pid: child.pid as number };
}
