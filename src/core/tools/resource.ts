import type { Caller } from '#core/http/caller.ts';
import type { ResourceLink } from './tool.ts';

/** Resources at a URI template, such as `skill://{name}/{+path}`. Provided by wings like their tools. */

export interface ResourceTemplate {
  /** RFC 6570, levels 1 and 2: `{name}` matches no slash, `{+path}` does. */
  uri_template: string;
  name: string;
  title: string;
  description: string;
  /** The media type of what `read` returns, if it is always the same. */
  media_type: string | null;
  /** A short list of resources. Absent if there are too many. */
  list?(caller: Caller | null): Promise<ResourceLink[]>;
  /** Returns null if there is no resource, or none that this caller may read, at the URI. */
  read(variables: Record<string, string>, caller: Caller | null): Promise<ResourceContent | null>;
  /** Returns up to 100 values of a variable that begin with the typed text, best first. */
  complete?(variable: string, typed: string, others: Record<string, string>): Promise<string[]>;
}

interface ResourceContent {
  media_type: string;
  /** Bytes are sent as base64. */
  content: string | Uint8Array;
}
