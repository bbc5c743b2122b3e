import { plain, quoted } from '#core/tools/words.ts';
import { readGiven } from './given-input.ts';
import type { Call, Ground, Next } from './ground.ts';
import { type Json, listOf, objectOf, type PastCall, stringOf } from './history.ts';
import type { Intent } from './intent.ts';
import { sameName } from './options.ts';
import { ended } from './run.ts';
import { failureText, shownJson } from './words.ts';

/** What the user has here: tasks and connections; and what is run most. */

type Own = Extract<Intent, { want: 'tasks' | 'task' | 'cancel' | 'connections' | 'hot' }>;

const after = ({ done }: Ground, call: Call, told: (data: Json) => string): Next => {
  const made = done.find((it) => it.name === call.name);
  if (made === undefined) return { call: [call] };
  return { say: made.failed || made.data === null ? failureText(made) : told(made.data) };
};

export function listOwn(intent: Own, ground: Ground): Next {
  if (intent.want === 'connections') return after(ground, { name: 'connection_list', input: {} }, connectionsText);
  if (intent.want === 'hot') return after(ground, { name: 'discovery_hot', input: { limit: 10 } }, hotText);
  if (intent.want === 'tasks') return after(ground, { name: 'task_list', input: { limit: 10 } }, tasksText);
  const id = intent.id === '' ? lastTask(ground) : intent.id;
  if (id === '') return { say: `Which task? Say “${intent.want} ID”; “list my tasks” shows them.` };
  return after(ground, { name: intent.want === 'task' ? 'task_get' : 'task_cancel', input: { id } }, ended);
}

const lastTask = ({ past }: Ground): string => {
  const made = past.flatMap(({ calls }) => calls).findLast((it) => it.name === 'task_create' && !it.failed);
  return stringOf(made?.data?.id);
};

const tasksText = ({ items }: Json): string => {
  const lines = listOf(items).map((it) => {
    const { kind, ref } = objectOf(it.capability);
    return `- ${stringOf(it.id)} ${stringOf(it.status)}: ${stringOf(kind)} \`${plain(stringOf(ref), 200)}\``;
  });
  return lines.length === 0 ? 'You have no tasks yet.' : ['Your newest tasks:', ...lines].join('\n');
};

const connectionsText = ({ items }: Json): string => {
  const lines = listOf(items).map(
    (it) => `- ${stringOf(it.id)} ${quoted(stringOf(it.name), 100)} ${stringOf(it.status)}`,
  );
  if (lines.length === 0) return 'You have no connections. POST /api/sessions/connections makes one.';
  return ['Your connections:', ...lines, 'Say “what tools does ID have”.'].join('\n');
};

const hotText = ({ items }: Json): string => {
  const lines = listOf(items).map((it, at) => {
    const { kind, ref } = objectOf(it.capability);
    return `${at + 1}. ${stringOf(kind)} \`${plain(stringOf(ref), 200)}\`: ${Number(it.runs) || 0} runs`;
  });
  return lines.length === 0 ? 'Nothing was run in the last seven days.' : ['Run most:', ...lines].join('\n');
};

/** The connection of this id or name; undefined until the list was asked for. */
function connectionNamed(what: string, { done }: Ground): PastCall | Json | null {
  const listed = done.find((it) => it.name === 'connection_list');
  if (listed === undefined) return { name: 'connection_list', input: { limit: 50 } };
  const found = listOf(listed.data?.items).filter((it) => it.id === what || sameName(stringOf(it.name), what));
  return found.length === 1 ? (found[0] as Json) : null;
}

function withConnection(what: string, ground: Ground, act: (id: string) => Next): Next {
  const found = connectionNamed(what, ground);
  if (found === null)
    return {
      say: `You have no connection ${quoted(what, 100)}, or several of that name. “list my connections” shows them.`,
    };
  if (found.name === 'connection_list') return { call: [found as unknown as Call] };
  return act(stringOf((found as Json).id));
}

export const listConnectionTools = (what: string, ground: Ground): Next =>
  withConnection(what, ground, (id) =>
    after(ground, { name: 'connection_tools', input: { id } }, (data) => {
      const listed = listOf(data.items ?? data.tools);
      const lines = listed.map((it) => `- ${quoted(stringOf(it.name), 128)}: ${quoted(stringOf(it.description), 160)}`);
      return lines.length === 0
        ? 'It has no tools.'
        : ['Its tools:', ...lines, `Say “call TOOL on ${id} with name=value”.`].join('\n');
    }),
  );

export function callTool({ tool, connection, given }: Extract<Intent, { want: 'call' }>, ground: Ground): Next {
  return withConnection(connection, ground, (id) => {
    const { pairs, documents } = readGiven(given);
    const input = { id, tool, arguments: { ...objectOf(documents[0]), ...pairs } };
    return after(ground, { name: 'connection_call', input }, (data) => {
      const head =
        data.is_error === true ? `${quoted(tool, 128)} says that it failed:` : `${quoted(tool, 128)} answered:`;
      return [
        head,
        shownJson(
          data.structured_content ??
            listOf(data.content)
              .map((it) => it.text)
              .join('\n'),
        ),
      ].join('\n');
    });
  });
}
