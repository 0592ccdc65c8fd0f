/** `isRepeated`: the answer of an earlier request with the same Idempotency-Key. Pure. */
export type Begun = { answer: unknown; isRepeated: boolean };
