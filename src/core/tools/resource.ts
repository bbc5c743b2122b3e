import type { Caller } from '#core/http/caller.ts';
import type { ResourceLink } from './tool.ts';

/** Resources by an address with variables, such as `skill://{name}/{+path}`. Brought by features like their tools. */

export interface ResourceTemplate {
  /** RFC 6570, levels 1 and 2: `{name}` takes no slash, `{+path}` does. */
  uri_template: string;
  name: string;
  title: string;
  description: string;
  /** Of what `read` answers, where it is always the same. */
  media_type: string | null;
  /** Resources that are worth listing one by one; few. Left out where there are too many to list. */
  list?(caller: Caller | null): Promise<ResourceLink[]>;
  /** Null where there is nothing (or nothing that this caller may see) at the address. */
  read(variables: Record<string, string>, caller: Caller | null): Promise<ResourceContent | null>;
  /** Values of a variable that begin with what was typed, best first, at most 100. */
  complete?(variable: string, typed: string, others: Record<string, string>): Promise<string[]>;
}

export interface ResourceContent {
  media_type: string;
  /** Bytes are sent in base64. */
  content: string | Uint8Array;
}
