import { Type } from '#core/json-schema/type.ts';

/** The schema of `ProblemBrief`. */
export const ProblemBriefShape = Type.Object({
  code: Type.String(),
  reason: Type.Optional(Type.String({ description: 'Which of the reasons of the code it is, if it has reasons.' })),
  detail: Type.String(),
});
