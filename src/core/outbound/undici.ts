import { createRequire } from 'node:module';
import type * as Undici from 'undici';

/** The parts of undici that we use. Its entry point also loads WebSockets, caches and mocks: 3 MB at every start. */

const require = createRequire(import.meta.url);

export type Agent = Undici.Agent;
export const Agent: typeof Undici.Agent = require('undici/lib/dispatcher/agent.js');
export const buildConnector: typeof Undici.buildConnector = require('undici/lib/core/connect.js');
export const undiciFetch: typeof Undici.fetch = require('undici/lib/web/fetch/index.js').fetch;

// The classes of the same library: the global ones would load another copy of it, 10 MB.
export type Headers = Undici.Headers;
export const Headers: typeof Undici.Headers = require('undici/lib/web/fetch/headers.js').Headers;
export type Response = Undici.Response;
export const Response: typeof Undici.Response = require('undici/lib/web/fetch/response.js').Response;
