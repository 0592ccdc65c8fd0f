/**
 * Runs an order of effects to its end: each is carried out, and what it throws is thrown at its
 * place. Pure but for `carryOut`.
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
