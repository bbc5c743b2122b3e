import type { Operation } from './document.ts';

/** Chooses the default media type of an operation's responses. */

const EVENTS = 'text/event-stream';
const LINES = 'application/x-ndjson';

const isJson = (type: string): boolean => /[/+]json$/.test(type);
const isText = (type: string): boolean => /^text\/|[/+](xml|yaml|javascript)$|\+xml$/.test(type);
const isBytes = (type: string): boolean => !isJson(type) && !isText(type) && type !== LINES;

/** The default first. A file may be of any type, so that its bytes are all there is to say. */
export function mediaOf({ answers }: Operation): string[] {
  const all = [...answers.keys()];
  const bytes = all.find(isBytes);
  if (bytes !== undefined) return [bytes];
  const first = all.find(isJson) ?? all.find((key) => key !== EVENTS) ?? all[0];
  return first === undefined ? [] : [first, ...all.filter((key) => key !== first)];
}

export function kindOf(type: string): 'json' | 'events' | 'lines' | 'text' | 'bytes' {
  if (type === EVENTS) return 'events';
  if (type === LINES) return 'lines';
  if (isJson(type)) return 'json';
  return isText(type) ? 'text' : 'bytes';
}
