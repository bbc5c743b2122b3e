/** What a fake model says next, in no provider's words. */

export interface Turn {
  text?: string;
  tool_calls?: readonly FakeCall[];
  usage?: { input: number; output: number } | null;
  finish?: 'stop' | 'length' | 'filter';
  fault?: Fault;
}

export interface FakeCall {
  name: string;
  input?: unknown;
  /** In place of the input's JSON. */
  raw_input?: string;
}

export interface Fault {
  /** An answer of this status in place of a stream. */
  status?: number;
  headers?: Record<string, string>;
  /** With a status: its body. Without one: what the stream begins with, as it is. */
  body?: string;
  /** Destroys the connection before anything was answered. */
  refuse?: boolean;
  /** Destroys the connection after half of the events; `quietly` ends the answer there in good order. */
  cut?: boolean | 'quietly';
  /** Takes the request and never answers. */
  hang?: boolean;
  /** Answers the head and the first event, and then nothing. */
  stall?: boolean;
  /** Waits before the answer. */
  delay_ms?: number;
}

/** The usage of a turn that names none. */
export const USAGE = { input: 100, output: 20 };

export const inputText = (call: FakeCall): string => call.raw_input ?? JSON.stringify(call.input ?? {});

/** In pieces, as models send it. */
export const pieces = (text: string): string[] => text.match(/.{1,7}/gsu) ?? [];

export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
export const event = (value: { type: string }): string => `event: ${value.type}\n${data(value)}`;
