import 'server-only';
import { inStep } from '#lib/runtime/trace.ts';

/** A provider's verbs as its client has them: without their first parameter, the connection. */
export type Bound<Verbs> = {
  [Name in keyof Verbs]: Verbs[Name] extends (
    connection: never,
    ...input: infer Input
  ) => infer Answer
    ? (...input: Input) => Answer
    : never;
};

/**
 * Binds each verb to a connection, so that a client is no more than the list of its verbs. Each call
 * is a step of its trace, named as the verb.
 */
export function bindVerbs<
  Connection,
  Verbs extends Record<string, (connection: Connection, ...input: never[]) => unknown>,
>(connection: Connection, verbs: Verbs): Bound<Verbs> {
  return Object.fromEntries(
    Object.entries(verbs).map(([name, verb]) => [
      name,
      (...input: never[]) => inStep({ name }, () => verb(connection, ...input)),
    ]),
  ) as Bound<Verbs>;
}
