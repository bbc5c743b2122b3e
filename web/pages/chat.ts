import { type Capstan, CapstanError, type Task } from '../../sdk/src/index.ts';
import { sayForm } from '../parts/chat-say.ts';
import { chatSide, type Side } from '../parts/chat-side.ts';
import { type Conversation, runsOf, turnView } from '../parts/chat-turn.ts';
import { act } from '../parts/run-state.ts';
import { failure } from '../parts/said.ts';
import { signInFirst } from '../parts/sign-in-first.ts';
import { cut } from '../parts/words.ts';
import { type Html, html } from '../server/html.ts';
import type { Answer, Page, View, Visit } from '../server/page.ts';

/** `/chat` and `/chat/{id}`: the agent. With scripts each turn streams; without them the form waits for the answer. */
export const chat: Page = {
  get: async (visit) => (visit.user === null ? signInFirst(visit) : view(visit)),
  post: async (visit): Promise<Answer> => {
    const { form, user, path } = visit;
    if (user === null) return signInFirst(visit);
    const does = ACTS[form.get('do') ?? ''];
    try {
      return { location: does === undefined ? path : await does(visit) };
    } catch (error) {
      if (!(error instanceof CapstanError) || error.status === 0) throw error;
      return { ...(await view(visit, error)), status: error.status };
    }
  },
};

type FormVisit = Visit & { form: URLSearchParams };

/** Each returns the address to redirect to. */
const ACTS: Record<string, (visit: FormVisit) => Promise<string>> = {
  say: async ({ capstan, form, params }) => {
    const on = params.id === undefined ? {} : { conversation_id: params.id };
    const body = { message: wordsOf(form), ...on };
    const { conversation_id, id } = await capstan.agent.chat({ body }, { timeout_ms: LONGEST_MS });
    return `/chat/${conversation_id}#turn-${id}`;
  },
  model: async ({ capstan, form, path }) => {
    await capstan.agent.setModel({ body: { model: form.get('model') ?? '' } });
    return path;
  },
  stop: async ({ capstan, form, path }) => {
    await capstan.agent.cancel({ turn_id: form.get('turn') ?? '' }).catch((error) => {
      // It has ended by now.
      if (!(error instanceof CapstanError) || error.status !== 404) throw error;
    });
    return path;
  },
  delete: async ({ capstan, params }) => {
    if (params.id !== undefined) await capstan.conversations.delete({ id: params.id });
    return '/chat';
  },
};

/** The service ends turns earlier than this. */
const LONGEST_MS = 3_600_000;

const wordsOf = (form: URLSearchParams): string => (form.get('message') ?? '').replaceAll('\r\n', '\n');

async function view(visit: Visit & { form?: URLSearchParams }, error: CapstanError | null = null): Promise<View> {
  const { site, params, form } = visit;
  const [entry, side] = await Promise.all([conversationOf(visit), sideOf(visit)]);
  const turns = entry === null ? [] : await turnsOf(visit, entry);
  const atWork = entry?.items.at(-1)?.status === 'working';
  const title = entry === null ? 'Chat' : cut(entry.title, 80) || 'Chat';
  const content = html`<div class="chat columns">
<div class="body talk">
<header class="head"><div class="titled"><h1><bdi>${entry === null ? 'What can the agent do for you?' : title}</bdi></h1>${entry !== null && act('delete', 'Delete', 'plain')}</div>
${entry === null && html`<p class="lead">It finds a capability for your request, runs it when you ask for it, and shows the result with its receipt.</p>`}</header>
${entry === null && suggestions(side.status.is_llm)}
<div id="turns"${atWork && html` data-island="live" data-every="2000"`}>${turns}</div>
${error !== null && failure(error)}
${composer(params.id ?? '', error === null || form === undefined ? '' : wordsOf(form), side.status.is_llm)}
</div>
${chatSide(side, params.id ?? null, site.now())}
</div>`;
  return { title, content, unlisted: true };
}

/** First messages, because an empty field does not say what is possible. */
const suggestions = (isLlm: boolean): Html =>
  html`<ul class="suggested" aria-label="Examples">${(isLlm ? WITH_MODEL : WITHOUT_MODEL).map((words) => html`<li>${sayForm(words, words)}</li>`)}</ul>`;

const WITH_MODEL = [
  'Which skills can look at a CSV file?',
  'Run csv-profile with its example and tell me what it found.',
  'What do I need to search the web from here?',
];

/** The planner understands these as they are. */
const WITHOUT_MODEL = ['find a tool for CSV files', 'run csv-profile with its example', 'what can you do?'];

/** Runs that are read for a page, and those of them whose results it shows. */
const MOST_READ = 12;
const MOST_OPEN = 4;

async function turnsOf({ capstan, site }: Visit, { items }: Conversation): Promise<Html[]> {
  const ids = [...new Set(items.flatMap(runsOf))].slice(-MOST_READ);
  const read = await Promise.all(ids.map((id) => taskOf(capstan, id)));
  const tasks = new Map(read.flatMap((task) => (task === null ? [] : [[task.id, task] as const])));
  const open = new Set(ids.slice(-MOST_OPEN));
  const shown: Html[] = [];
  for (const turn of items)
    shown.push(await turnView(site, { turn, tasks, open, is_last: turn.id === items.at(-1)?.id }));
  return shown;
}

/** Null if it was deleted. */
async function taskOf(capstan: Capstan, id: string): Promise<Task | null> {
  try {
    return await capstan.tasks.get({ id });
  } catch (error) {
    if (error instanceof CapstanError && error.status === 404) return null;
    throw error;
  }
}

const conversationOf = async ({ capstan, params: { id } }: Visit): Promise<Conversation | null> =>
  id === undefined ? null : capstan.conversations.get({ id });

async function sideOf({ capstan, query }: Visit): Promise<Side> {
  const offset = Number(query.get('offset') ?? 0);
  const [status, models, conversations] = await Promise.all([
    capstan.agent.getStatus(),
    capstan.agent.listModels(),
    capstan.conversations.list({ limit: 30, offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0 }),
  ]);
  return { status, models, conversations };
}

const composer = (
  id: string,
  words: string,
  isLlm: boolean,
): Html => html`<form method="post" class="composer" data-island="chat" data-conversation="${id}">
<input type="hidden" name="do" value="say"><label for="message" class="hidden">Message</label>
<textarea id="message" name="message" rows="3" maxlength="100000" required placeholder="${isLlm ? 'Compare these two JSON documents …' : 'run json-diff with before=1 after=2'}">${'\n'}${words}</textarea>
<p class="ways"><button type="submit" class="button">Send</button><button type="button" class="button plain" data-stop hidden>Stop</button><span class="fine" data-hint hidden>Press Ctrl+Enter to send.</span></p>
<p role="status" class="hidden" data-status></p>
<div class="failure" role="alert" hidden></div></form>`;
