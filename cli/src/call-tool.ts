import { errorOf } from '../../sdk/src/capstan-error.ts';
import type { ToolCallEvent } from '../../sdk/src/index.ts';
import { EVENTS } from './add-connection.ts';
import type { Service } from './command.ts';
import { Failure } from './failure.ts';
import { safe } from './output.ts';

/** A tool call through a connection. Questions of its server are asked at the terminal where there is one. */

type Result = Extract<ToolCallEvent, { event: 'result' }>['data'];
type Question = Extract<ToolCallEvent, { event: 'question' }>['data'];

/** For the call itself and the answers of the person. */
const CALL_MS = 900_000;

export async function callTool(
  service: Service,
  id: string,
  body: { tool: string; arguments: Record<string, unknown> },
): Promise<Result> {
  const { capstan, world, isAsking, during } = service;
  // Without events the service declines questions itself, and says why in the result.
  if (!isAsking) return during(`calling ${body.tool}`, () => capstan.tools.call({ id, body }));
  const events = capstan.tools.call({ id, body }, { accept: EVENTS, signal: world.signal, timeout_ms: CALL_MS });
  for await (const { event, data } of events) {
    if (event === 'question')
      await capstan.questions.answer({ id, question_id: data.id, body: await answered(service, data) });
    if (event === 'error') throw await errorOf(Response.json(data, { status: data.status }));
    if (event === 'result') return data;
  }
  throw new Failure('cli.cut_off', 'The service ended the response before its result.', {
    fix: 'Run capstan trace with the id of the last call to see how it ended.',
  });
}

type Value = string | number | boolean | string[];

/** Asks the person at the terminal what a server asks. */
export async function answered(
  { ask, say, world }: Pick<Service, 'ask' | 'say' | 'world'>,
  { message, schema, link }: Pick<Question, 'message' | 'schema' | 'link'>,
) {
  say(`The server asks: ${safe(message)}`);
  // An older service has no such member.
  if (link) return openedPage({ ask, say, world }, link);
  if (!/^(?:y|yes|)$/i.test(await ask('Answer it? [Y/n]', '--no-input'))) return { action: 'decline' as const };
  const content: Record<string, Value> = {};
  for (const [name, field] of Object.entries(Object(schema.properties)).slice(0, 50)) {
    const value = fieldValue(await ask(questionOf(name, Object(field)), '--no-input'), Object(field));
    if (value !== null) content[name] = value;
  }
  return { action: 'accept' as const, content };
}

/** A page is opened only after the person has read where it is and agreed. */
async function openedPage(
  { ask, say, world }: Pick<Service, 'ask' | 'say' | 'world'>,
  { url, host }: NonNullable<Question['link']>,
) {
  say(`It asks you to open a page on ${host}: ${safe(url)}`);
  if (!/^y(?:es)?$/i.test(await ask('Open it in your browser? [y/N]', '--no-input')))
    return { action: 'decline' as const };
  if (!(await world.openBrowser(url))) say('No browser could be started. Open the address yourself.');
  const done = await ask('Press Enter when you are done there, or n to decline', '--no-input');
  return { action: /^n(?:o)?$/i.test(done) ? ('decline' as const) : ('accept' as const) };
}

interface Field {
  type?: unknown;
  title?: unknown;
  description?: unknown;
  enum?: unknown;
  default?: unknown;
}

function questionOf(name: string, { type, title, description, enum: choices, default: usual }: Field): string {
  const notes = [
    typeof description === 'string' ? description.slice(0, 300) : '',
    Array.isArray(choices) ? `one of ${choices.slice(0, 20).join(', ')}` : '',
    type === 'boolean' ? 'true or false' : '',
    type === 'array' ? 'separated by commas' : '',
    usual === undefined ? '' : `default: ${JSON.stringify(usual).slice(0, 100)}`,
  ].filter((note) => note !== '');
  const named = typeof title === 'string' ? title.slice(0, 100) : name;
  return notes.length === 0 ? named : `${named} (${notes.join('; ')})`;
}

/** Null for nothing. The server checks the value. */
function fieldValue(text: string, { type }: Field): Value | null {
  if (text === '') return null;
  if (type === 'boolean') return /^(?:y|yes|true)$/i.test(text);
  if (type === 'array') return text.split(',').map((each) => each.trim());
  const isNumber = (type === 'number' || type === 'integer') && Number.isFinite(Number(text));
  return isNumber ? Number(text) : text;
}
