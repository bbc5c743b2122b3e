import type { Operations } from '../../sdk/src/index.ts';
import { type Html, html } from '../server/html.ts';
import { icon } from './icon.ts';
import { act } from './run-state.ts';
import { ago, count, cut } from './words.ts';

/** The sidebar of a conversation: other conversations, the model, the quota. */

type Status = Operations['agent']['getStatus']['answer'];
type Models = Operations['agent']['listModels']['answer'];
type Conversations = Operations['conversations']['list']['answer'];

export interface Side {
  status: Status;
  models: Models;
  conversations: Conversations;
}

export const chatSide = (
  { status, models, conversations }: Side,
  here: string | null,
  now_ms: number,
): Html => html`<div class="side chat-side">
<section aria-labelledby="conversations"><h2 id="conversations">Conversations</h2>
${here !== null && html`<p><a class="button plain" href="/chat">New conversation</a></p>`}
${
  conversations.total_count === 0
    ? html`<p class="fine">None yet.</p>`
    : html`<ul class="talks">${conversations.items.map((item) => html`<li><a href="/chat/${item.id}"${item.id === here && html` aria-current="page"`}><bdi>${cut(item.title, 80) || 'Untitled'}</bdi></a> <span class="label">${ago(item.updated_at, now_ms)}</span></li>`)}</ul>
${older(conversations)}`
}</section>
<section aria-labelledby="model"><h2 id="model">Model</h2>${chooser(models)}${quota(status)}</section>
</div>`;

const older = ({ total_count, offset, items }: Conversations): Html | null =>
  offset + items.length < total_count ? html`<p><a href="?offset=${offset + items.length}">Older</a></p>` : null;

/** Only models that work; a choice of one is none. */
function chooser({ items, current }: Models): Html {
  const ready = items.filter(({ available }) => available);
  const chosen = ready.find(({ id }) => id === current);
  return html`${
    ready.length === 1 && chosen !== undefined
      ? html`<p>${icon('cpu')} ${nameOf(chosen)}</p>`
      : act(
          'model',
          'Use model',
          'plain',
          html`<label for="choose-model" class="label">Answered by</label>
<select id="choose-model" name="model">${chosen === undefined && html`<option value="" selected disabled>Choose a model</option>`}${ready.map((item) => html`<option value="${item.id}"${item.id === current && html` selected`}>${nameOf(item)}</option>`)}</select>`,
        )
  }
${!ready.some(({ is_llm }) => is_llm) && html`<p class="fine">No language model is set up. <a href="/docs/language-models">Set one up</a></p>`}`;
}

const nameOf = ({ id, is_llm }: Models['items'][number]): string => (is_llm ? id : 'Built-in planner');

const quota = ({
  quota: { limit, used, resets_at },
  is_llm,
  reason,
}: Status): Html => html`${reason !== null && html`<p class="failure" dir="auto">${cut(reason, 300)}</p>`}
${!is_llm && html`<p class="fine">The built-in planner is not a language model. It searches for your words and runs what you name. It uses no quota.</p>`}
<p class="fine">${
  limit === null
    ? `${count(used)} ${used === 1 ? 'request' : 'requests'} today, no limit.`
    : html`${count(used)} of ${count(limit)} requests used today. Resets at <time datetime="${resets_at}">${resets_at.slice(0, 16).replace('T', ' ')} UTC</time>.`
}</p>`;
