/**
 * Runs a generator of effects to its end: carries each one out, and throws its error back into the
 * generator at the same place. Pure apart from `carryOut`.
 */
export async function carriedOut<E, Result>(
  order: Generator<E, Result, unknown>,
  carryOut: (effect: E) => Promise<unknown>,
): Promise<Result> {
  let next = order.next();
  while (!next.done) {
    const done = await carryOut(next.value).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    next = 'error' in done ? order.throw(done.error) : order.next(done.value);
  }
  return next.value;
}
