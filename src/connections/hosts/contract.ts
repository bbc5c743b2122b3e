import { ConnectionShown, Hosts } from '#connections/connections/contract.ts';
import { CONNECTION_EXAMPLE, CONNECTION_ID } from '#connections/connections/examples.ts';
import { PACKAGED_PROBLEMS } from '#connections/connections/packaged-problems.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The hosts that the package of a connection may reach, as data. */

const EXAMPLE = {
  ...CONNECTION_EXAMPLE,
  url: 'pkg:npm/tides@1.4.0',
  transport: 'stdio',
  status: 'ready',
  last_error: null,
  package: {
    ecosystem: 'npm',
    name: 'tides',
    version: '1.4.0',
    purl: 'pkg:npm/tides@1.4.0',
    hosts: ['api.tides.example'],
    proposed_hosts: [],
    wanted_hosts: ['api.tides.example'],
    isolation: 'bwrap+seccomp+cgroup',
    lock_sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    tree_sha256: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
    size_bytes: 2457600,
  },
};

export const hostsContract = {
  replace: operation({
    id: 'connections.hosts.replace',
    method: 'PUT',
    path: '/api/sessions/connections/{id}/hosts',
    summary: 'Grant hosts to the package of a connection',
    description:
      'Replaces the hosts that the server may reach. A host that you grant can receive everything that the server knows, ' +
      'its credentials included, so this needs a signature, whose text names the hosts. The server is then started once, ' +
      'and the response is the updated connection. With `Accept: text/event-stream` its steps are streamed.',
    access: 'sensitive',
    signs: ['hosts'],
    params: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }),
    examples: { id: CONNECTION_ID },
    body: Type.Object({ hosts: Hosts }, { additionalProperties: false }),
    body_example: { hosts: ['api.tides.example'] },
    answers: {
      200: {
        description: 'The connection.',
        content: {
          'application/json': { schema: ConnectionShown, example: EXAMPLE },
          'text/event-stream': {
            schema: Type.String(),
            example: 'event: step\ndata: {"step":"starting","bytes":0}\n\n',
          },
        },
      },
    },
    problems: ['connections.not_found', 'connections.invalid', 'registry.gone', ...PACKAGED_PROBLEMS],
  }),
} as const;
