import { Type } from '#core/json-schema/type.ts';

/** What answers say about an operator's models. */

const place = Type.Union([Type.Integer(), Type.Null()]);

/** Of one result. */
export const Aided = Type.Object(
  {
    words_place: place,
    meaning_place: place,
    similarity: Type.Union([Type.Number(), Type.Null()]),
    fused: Type.Number(),
    reranked_from: place,
  },
  {
    description: 'What models of the operator did: fused = 1 / (10 + words_place) + weight / (10 + meaning_place).',
  },
);

/** Of a whole search. */
export const AskedModels = Type.Object(
  { meaning: Type.String(), reranking: Type.String() },
  { description: 'The models of the operator. Only with `explain=1`.' },
);
