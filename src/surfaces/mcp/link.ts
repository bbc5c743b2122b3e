import { defined } from '#core/defined.ts';
import type { ResourceLink } from '#core/tools/tool.ts';

/** A resource link in the protocol's format. */
export const linkOf = ({ uri, name, description, media_type }: ResourceLink) => ({
  uri,
  name,
  ...defined({ description, mimeType: media_type }),
});
