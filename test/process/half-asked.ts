import { once } from 'node:events';
import { connect } from 'node:net';

const HEAD = 'GET /healthz HTTP/1.1\r\nHost: a\r\n';

/**
 * A connection on which the beginning of a request has been read: it came in one piece with a whole request, which is answered.
 * An empty line completes it. `answers` is everything that comes until the connection ends.
 */
export async function halfAsked(port: number) {
  const open = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  open.on('data', (chunk) => {
    text += chunk;
  });
  const answers = once(open, 'close').then(() => text);
  open.write(`${HEAD}\r\n${HEAD}Connection: close\r\n`);
  await once(open, 'data');
  return { open, answers };
}

/** Whether nobody listens there. */
export async function isClosed(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return false;
  } catch {
    return true;
  } finally {
    socket.destroy();
  }
}
