import { request as ask, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A forward proxy as companies have one: every name leads to one port of this machine. */
interface FakeProxy extends AsyncDisposable {
  url: string;
  /** Each request's line: `GET http://host/path`, `CONNECT host:443`. */
  asked: string[];
}

export async function openProxy(target_port: number): Promise<FakeProxy> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const { pathname, search } = new URL(request.url as string);
    const onward = { host: '127.0.0.1', port: target_port, method: request.method, headers: request.headers };
    request.pipe(
      ask({ ...onward, path: `${pathname}${search}` }, (answer) => {
        response.writeHead(answer.statusCode as number, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    const onward = connect(target_port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) end.on('error', () => end.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
