import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { LEVELS } from './check.ts';

/** The checks of the installation, for operators. */

const Level = Type.Enum([...LEVELS], {
  description: '`warn`: it works, but not well or not for long. `fail`: something does not work.',
});

export const doctorContract = {
  run: operation({
    id: 'core.doctor.run',
    method: 'POST',
    path: '/api/operator/doctor',
    summary: 'Check the installation (operators)',
    description:
      'Runs the checks of `capstand doctor` in the process that answers and reports problems with their fixes. It changes nothing ' +
      'and takes a few seconds. Requests that arrive meanwhile get the same report. 404 for other users.',
    access: 'jwt',
    for_operators: true,
    answers: {
      200: jsonAnswer(
        'The report.',
        Type.Object({
          level: Level,
          version: Type.String(),
          checked_at: Type.String({ format: 'date-time' }),
          checks: Type.Array(
            Type.Object({
              name: Type.String(),
              level: Level,
              took_ms: Type.Integer({ minimum: 0 }),
              findings: Type.Array(
                Type.Object({
                  level: Level,
                  seen: Type.String(),
                  fix: Type.Optional(Type.String({ description: 'A command, or a setting with its value.' })),
                }),
              ),
            }),
          ),
        }),
        {
          level: 'warn',
          version: '0.2.0',
          checked_at: '2026-04-14T06:00:00.000Z',
          checks: [
            {
              name: 'disk',
              level: 'warn',
              took_ms: 2,
              findings: [{ level: 'warn', seen: '3 % of the disk is free.', fix: 'Free some space in DATA_DIR' }],
            },
          ],
        },
      ),
    },
    problems: [],
  }),
} as const;
