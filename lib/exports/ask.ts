import 'server-only';
import { may, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { env } from '#lib/runtime/env.ts';
import { wakeWorkers } from '#lib/live/publish.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import type { Frame, Profile, SourceName } from './profile.ts';
import { SOURCES, sourceOf } from './sources.ts';

/** The maximum number of rows of an export: an Excel sheet has at most 1,048,576. */
const ROWS_MAX = 1_000_000;
const KEPT_DAYS = 7;
/** A date later than the creation of any row. */
const EVER = 'infinity';

/** `filter` is the query string of the list; `frame` has all the texts of the file. */
export type ExportAsked = {
  source: SourceName;
  profile: Profile;
  filter: string;
  frame: Omit<Frame, 'role' | 'by' | 'zone'>;
};

/**
 * Stores the request to export a list; a worker makes the file. For a person without the permission
 * for payees' numbers they are masked. The search text is personal data; the rest of the filter
 * stays in the audit log permanently. Returns the export's id.
 *
 * @throws Refusal `not_allowed`, `too_many`, `too_many_rows`
 */
export async function askForExport(
  actor: Person,
  { source, profile, filter, frame }: ExportAsked,
): Promise<string> {
  assertMay(actor, 'export.make');
  assertMay(actor, SOURCES[source].needs);
  await countAttempt(actor, 'export.ask');
  const { count, readFilter } = sourceOf(source);
  const expected = await count({
    merchantId: actor.merchantId,
    role: actor.role,
    filter: readFilter(filter),
    asOf: EVER,
  });
  if (expected !== null && expected > ROWS_MAX)
    throw new Refusal('too_many_rows', { max: ROWS_MAX });
  const whole: Frame = { ...frame, role: actor.role, by: actor.name, zone: env().timeZone };
  const params = new URLSearchParams(filter);
  const search = params.get('q');
  params.delete('q');
  return inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<[Row<'exports', 'id'>]>`
      INSERT INTO exports (merchant_id, person_id, source, profile, filter, frame, expected,
        created_at, lease_until, expires_at)
      VALUES (${actor.merchantId}::uuid, ${actor.personId}::uuid, ${source}, ${profile}, ${filter},
        ${JSON.stringify(whole)}::jsonb, ${expected}, clock_timestamp(), clock_timestamp(),
        clock_timestamp() + make_interval(days => ${KEPT_DAYS}))
      RETURNING id`;
    await audit(
      tx,
      actor,
      'export.asked',
      `export:${row.id}`,
      {
        source,
        profile,
        rows: expected,
        filter: params.toString(),
        masked: !may(actor.role, 'payee.read'),
      },
      { search },
    );
    await wakeWorkers(tx);
    return row.id;
  });
}
