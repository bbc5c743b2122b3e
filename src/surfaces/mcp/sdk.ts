import { validation } from '#core/json-schema/compile.ts';
import { ownTurn } from '#core/threads/own-turn.ts';

/** The MCP library, loaded with the first message. */
export type Sdk = typeof import('@modelcontextprotocol/server');

/** Loads what a message needs part by part, in several turns of the event loop: the whole takes longer than a request may hold it. */
export async function loadSdk(): Promise<Sdk> {
  await ownTurn();
  validation();
  await ownTurn();
  await import('@modelcontextprotocol/server/_shims');
  await ownTurn();
  const sdk = await import('@modelcontextprotocol/server');
  await ownTurn();
  return sdk;
}
