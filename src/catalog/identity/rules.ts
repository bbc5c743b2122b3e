/** Of what identity is judged by. Another number: everything is judged anew. To be raised with every change of traits, keys or evidence. */
export const RULES = 3;
