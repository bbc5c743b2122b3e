import type { TSchema } from 'typebox';
import { deleted } from '#accounts/users/deleted.ts';
import { defined } from '#core/defined.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** Operations on devices that have signed in before. */

const time = (description?: string) => Type.String({ format: 'date-time', ...defined({ description }) });

const answer = (description: string, schema: TSchema, example: unknown) => ({
  200: jsonAnswer(description, schema, example),
});

const Device = Type.Object({
  id: Type.String({ format: 'uuid' }),
  user_agent: Type.String({ description: 'User-Agent of the device.' }),
  created_at: time(),
  last_used_at: time(),
  expires_at: time('180 days after its last use.'),
});

const DEVICE_EXAMPLE = {
  id: '0197a000-0000-7000-8000-0000000000d2',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  created_at: '2026-04-14T10:00:00.000Z',
  last_used_at: '2026-04-15T09:00:00.000Z',
  expires_at: '2026-10-12T09:00:00.000Z',
};

export const devicesContract = {
  list: operation({
    id: 'accounts.devices.list',
    method: 'GET',
    path: '/api/auth/devices',
    summary: 'List known devices',
    description:
      'Lists up to 20 devices that have signed in by email, most recently used first. A known device still ' +
      'needs the password, but is not locked out by failed attempts from elsewhere. Changing the password ' +
      'removes all known devices.',
    access: 'jwt',
    answers: answer(
      'All known devices.',
      Type.Object({ items: Type.Array(Device), total_count: Type.Integer({ minimum: 0 }) }),
      { items: [DEVICE_EXAMPLE], total_count: 1 },
    ),
    problems: [],
  }),
  delete: operation({
    id: 'accounts.devices.delete',
    method: 'DELETE',
    path: '/api/auth/devices/{id}',
    summary: 'Remove a device',
    description: 'Removes a known device. Its sessions are kept; end them with `DELETE /api/auth/sessions/{id}`.',
    access: 'jwt',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Device id.' }) }),
    examples: { id: DEVICE_EXAMPLE.id },
    answers: { 200: deleted('Device removed.') },
    problems: ['auth.not_found'],
  }),
};
