import 'server-only';

/** PostgreSQL cancelled the statement, as it does after `statement_timeout`. */
const CANCELLED = '57014';

/** What a statement reads; null when the database could not do it within its time. */
export async function orOutOfTime<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === CANCELLED) return null;
    throw error;
  }
}
