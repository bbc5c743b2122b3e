/** Which headers whoever connects may have sent to a server. Pure. */

/** The connection's own, those of the request's body and those of the protocol: with them a request would be another. */
const REFUSED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|expect|content-.*|mcp-.*|accept|accept-encoding|last-event-id|origin|referer|via|forwarded|x-forwarded-.*|traceparent|tracestate|baggage)$/i;

/** A token of RFC 9110, and no longer than servers take. */
export const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$";

/** Visible ASCII, with spaces and tabs inside: neither end of line nor anything that is read in two ways. */
export const HEADER_VALUE = '^[!-~](?:[ -~\\t]{0,8190}[!-~])?$';

const NAME = new RegExp(HEADER_NAME);
const VALUE = new RegExp(HEADER_VALUE);

export const isHeaderName = (name: string): boolean => NAME.test(name) && !REFUSED.test(name);

export const isHeaderValue = (text: string): boolean => VALUE.test(text);
