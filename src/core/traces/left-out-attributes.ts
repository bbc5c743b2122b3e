import type { Attributes } from '@opentelemetry/api';
import type { LeftOut } from '#core/mcp/tool-listing.ts';
import { ATTR } from './conventions.ts';

/** Empty if every tool of the list was valid. */
export const attributesOfLeftOut = ({ count, tools }: LeftOut): Attributes =>
  count === 0
    ? {}
    : {
        [ATTR.mcp_left_out]: count,
        [ATTR.mcp_left_out_names]: tools.map(({ name, reason }) => `${name}: ${reason}`),
      };
