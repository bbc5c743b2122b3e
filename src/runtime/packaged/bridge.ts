import type { BoxEndpoint } from '#core/mcp/target.ts';
import { BOX_NODE } from '#runtime/boxes/host.ts';

/**
 * For servers that listen at an address: a program in the box starts them, and carries the messages of our session between its
 * own standard input and output and the server's port. The port is on the box's loopback, where nobody else reaches it. What the
 * program writes is trusted as little as the server itself, because both are in the same box.
 */

/**
 * The command of the bridge, which starts `argv`. Headers of a listing are public, so they may be among the arguments.
 *
 * @param node The command of Node in the box.
 */
export function bridged(
  argv: readonly string[],
  { transport, port, path, headers }: BoxEndpoint,
  node: readonly string[] = [BOX_NODE],
): string[] {
  const settings = JSON.stringify({ transport, port, path, headers });
  return [...node, '--eval', BRIDGE_PROGRAM, '--', settings, ...argv];
}

/**
 * Plain JavaScript, because a box does not have the service's folder. One JSON-RPC message per line on both sides. The server's
 * own standard output goes to standard error.
 */
const BRIDGE_PROGRAM = `'use strict';
const { spawn } = require('node:child_process');
const http = require('node:http');
const { createConnection } = require('node:net');
const { createInterface } = require('node:readline');

const [settings, program, ...args] = process.argv.slice(1);
const { transport, port, path, headers } = JSON.parse(settings);
const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
child.stdout.pipe(process.stderr);
child.on('error', (error) => fail(error.message));
child.on('exit', (code, signal) => {
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(code ?? 1);
});
function fail(why) {
  process.stderr.write(why + '\\n');
  process.exit(1);
}

const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const MOST_CHARS = 8 * 1024 * 1024;
const agent = new http.Agent({ keepAlive: true });
let host = '127.0.0.1';
let session;
let version;
/** Of the older transport: where messages are posted. */
let postPath = null;
const open = new Map();

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const listens = (address) =>
  new Promise((resolve) => {
    const socket = createConnection({ host: address, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
async function untilListening() {
  for (;;) {
    for (const address of ['127.0.0.1', '::1']) if (await listens(address)) return void (host = address);
    await pause(50);
  }
}

function request(method, to, more, body, id) {
  return new Promise((resolve, reject) => {
    const sent = { ...headers, ...more };
    if (session !== undefined) sent['mcp-session-id'] = session;
    if (version !== undefined && sent['mcp-protocol-version'] === undefined) sent['mcp-protocol-version'] = version;
    if (body !== undefined) sent['content-length'] = Buffer.byteLength(body);
    const asked = http.request({ host, port, path: to, method, headers: sent, agent });
    if (id !== undefined) open.set(id, asked);
    asked.on('response', resolve);
    asked.on('error', reject);
    asked.end(body);
  });
}

async function textOf(response) {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk;
    if (text.length > MOST_CHARS) fail('the answer of the server is too large');
  }
  return text;
}

/** Server-sent events as [name, data]. */
async function* eventsOf(response) {
  let rest = '';
  let name = 'message';
  let data = [];
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + chunk).split(/\\r\\n|\\n|\\r(?!$)/);
    rest = lines.pop();
    if (rest.length > MOST_CHARS) fail('an event of the server is too large');
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) yield [name, data.join('\\n')];
        name = 'message';
        data = [];
      } else if (line.startsWith('event:')) name = line.slice(6).trim();
      else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
    }
  }
}

const idOf = (message) => (message.method !== undefined && message.id !== undefined ? message.id : undefined);
const refuse = (id, why) => {
  if (id !== undefined) say({ jsonrpc: '2.0', id, error: { code: -32000, message: why } });
};

function heard(text, to) {
  const found = JSON.parse(text);
  for (const message of Array.isArray(found) ? found : [found]) {
    if (to !== undefined && message.id === to && message.result?.protocolVersion !== undefined)
      version = message.result.protocolVersion;
    say(message);
  }
}

const MODERN = 'io.modelcontextprotocol/protocolVersion';
/** Requests since 2026 repeat in headers what they are. */
function modernHeaders({ method, params }) {
  const named = params?._meta?.[MODERN];
  if (typeof named !== 'string' || method === undefined) return {};
  const name = method.startsWith('tasks/') ? params.taskId : (params.name ?? params.uri);
  const plain = typeof name === 'string' && /^[\\x20-\\x7e]*$/.test(name);
  return { 'mcp-protocol-version': named, 'mcp-method': method, ...(plain && { 'mcp-name': name }) };
}

async function send(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  const id = idOf(message);
  const opening = message.method === 'initialize' ? id : undefined;
  if (message.method === 'notifications/cancelled') open.get(message.params?.requestId)?.destroy();
  try {
    const to = transport === 'sse' ? postPath : path;
    const more = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...modernHeaders(message) };
    const response = await request('POST', to, more, line, id);
    if (typeof response.headers['mcp-session-id'] === 'string') session = response.headers['mcp-session-id'];
    const type = response.headers['content-type'] ?? '';
    if (type.startsWith('text/event-stream')) for await (const [, data] of eventsOf(response)) heard(data, opening);
    else {
      const text = await textOf(response);
      if (type.startsWith('application/json') && isMessage(text)) heard(text, opening);
      else if (response.statusCode >= 400) refuse(id, 'The server answered HTTP ' + response.statusCode + '.');
    }
    if (message.method === 'notifications/initialized' && transport !== 'sse') void listen();
  } catch (error) {
    refuse(id, 'The server did not answer: ' + error.message);
  } finally {
    open.delete(id);
  }
}

function isMessage(text) {
  try {
    const found = JSON.parse(text);
    return Array.isArray(found) || found?.jsonrpc === '2.0';
  } catch {
    return false;
  }
}

/** What the server says unasked; many servers have no such stream. */
async function listen() {
  try {
    const response = await request('GET', path, { accept: 'text/event-stream' });
    if (response.statusCode !== 200) return void response.resume();
    for await (const [, data] of eventsOf(response)) heard(data);
  } catch {}
}

/** The older transport: one stream, which names first where messages are posted. */
function openStream() {
  return new Promise((resolve, reject) => {
    const follow = async () => {
      const response = await request('GET', path, { accept: 'text/event-stream' });
      if (response.statusCode !== 200) throw new Error('the server answered HTTP ' + response.statusCode);
      for await (const [name, data] of eventsOf(response)) {
        if (name === 'message') heard(data, undefined);
        else if (name === 'endpoint') {
          const { pathname, search } = new URL(data, 'http://localhost' + path);
          postPath = pathname + search;
          resolve();
        }
      }
      fail('the server ended its stream');
    };
    follow().catch(reject);
  });
}

(async () => {
  const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
  const waiting = [];
  let ready = false;
  lines.on('line', (line) => (ready ? void send(line) : waiting.push(line)));
  lines.on('close', () => {
    child.kill('SIGTERM');
    setTimeout(() => process.exit(0), 1_000);
  });
  await untilListening();
  if (transport === 'sse') await openStream();
  ready = true;
  for (const line of waiting) void send(line);
})().catch((error) => fail(error.message));
`;
