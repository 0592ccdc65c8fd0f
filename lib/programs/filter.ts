import * as z from 'zod';

/** The filters of the developers' lists, read from the address. Invalid values are ignored. Pure. */

const FAILED = 'failed';
const address = z.object({
  show: z
    .literal(FAILED)
    .nullable()
    .catch(null)
    .transform((show) => show === FAILED),
  key: z.uuid().nullable().catch(null),
});

export type RequestFilter = { failed: boolean; keyId: string | null };

export function readRequestFilter(
  params: Record<string, string | string[] | undefined>,
): RequestFilter {
  const { show: failed, key: keyId } = address.parse(params);
  return { failed, keyId };
}

/** The value of the address's `show`. */
export function readFailed(failed: boolean): string | null {
  return failed ? FAILED : null;
}
