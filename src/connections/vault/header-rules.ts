/** Which headers a user may send to a server. Pure. */

/** Headers of the HTTP connection, the body and the protocol, which would change the request. */
const REFUSED =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailers?|transfer-encoding|upgrade|expect|content-.*|mcp-.*|accept|accept-encoding|last-event-id|origin|referer|via|forwarded|x-forwarded-.*|traceparent|tracestate|baggage)$/i;

/** A token of RFC 9110, no longer than servers accept. */
const HEADER_NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$";

/** Visible ASCII with inner spaces and tabs: no line breaks, nothing ambiguous. */
const HEADER_VALUE = '^[!-~](?:[ -~\\t]{0,8190}[!-~])?$';

const NAME = new RegExp(HEADER_NAME);
const VALUE = new RegExp(HEADER_VALUE);

export const isHeaderName = (name: string): boolean => NAME.test(name) && !REFUSED.test(name);

export const isHeaderValue = (text: string): boolean => VALUE.test(text);
