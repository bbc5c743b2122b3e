import { CapstanError } from '../../sdk/src/index.ts';
import { chatSide, type Side } from '../parts/chat-side.ts';
import { type Conversation, turnView } from '../parts/chat-turn.ts';
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
  const turns = entry === null ? [] : await Promise.all(entry.items.map((turn) => turnView(site, turn)));
  const atWork = entry?.items.at(-1)?.status === 'working';
  const title = entry === null ? 'Chat' : cut(entry.title, 80) || 'Chat';
  const content = html`<div class="chat columns">
<div class="body talk">
<header class="head"><div class="titled"><h1><bdi>${entry === null ? 'What can the agent do for you?' : title}</bdi></h1>${entry !== null && act('delete', 'Delete', 'plain')}</div>
${entry === null && html`<p class="lead">The agent finds a capability for your request, runs it when you ask it to, and shows each step with its receipt.</p>`}</header>
<div id="turns"${atWork && html` data-island="live" data-every="2000"`}>${turns}</div>
${error !== null && failure(error)}
${composer(params.id ?? '', error === null || form === undefined ? '' : wordsOf(form), side.status.is_llm)}
</div>
${chatSide(side, params.id ?? null, site.now())}
</div>`;
  return { title, content, unlisted: true };
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
