import type { TSchema } from 'typebox';
import { deleted } from '#accounts/users/deleted.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** Devices that signed in before, as data. */

const time = (description?: string) =>
  Type.String({ format: 'date-time', ...(description === undefined ? {} : { description }) });

const answer = (description: string, schema: TSchema, example: unknown) => ({
  200: { description, content: { 'application/json': { schema, example } } },
});

export const Device = Type.Object({
  id: Type.String({ format: 'uuid' }),
  user_agent: Type.String({ description: 'What the client called itself.' }),
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
    summary: 'List the devices that signed in before',
    description:
      'Browsers and programs that signed in by email and were remembered, the one used last first; 20 at most. A device ' +
      'signs nobody in: wrong passwords of others do not keep it out. All are forgotten when the password changes.',
    access: 'jwt',
    answers: answer(
      'Every device.',
      Type.Object({ items: Type.Array(Device), total_count: Type.Integer({ minimum: 0 }) }),
      { items: [DEVICE_EXAMPLE], total_count: 1 },
    ),
    problems: [],
  }),
  delete: operation({
    id: 'accounts.devices.delete',
    method: 'DELETE',
    path: '/api/auth/devices/{id}',
    summary: 'Forget a device',
    description: 'Its sessions stay; end them with `DELETE /api/auth/sessions/{id}`.',
    access: 'jwt',
    params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Id of the device.' }) }),
    examples: { id: DEVICE_EXAMPLE.id },
    answers: { 200: deleted('The device is forgotten.') },
    problems: ['auth.device_not_found'],
  }),
};
