import 'server-only';
import { inOne, sql } from '#lib/runtime/db.ts';
import { checkChain, NOTHING_VERIFIED } from './check-chain.ts';

/**
 * A process of `npm run backup` and `npm run restore`: prints how many movements the merchants have
 * and whether their audit chains hold. Its arguments are the ids of the merchants.
 */

const found = { movements: 0, entries: 0, broken: null as string | null };
for (const id of process.argv.slice(2)) {
  const [counted] = await inOne<{ n: number }>(id, sql`SELECT count(*)::int AS n FROM movements`);
  const { verified, breaks } = await checkChain(id, NOTHING_VERIFIED);
  found.movements += counted?.n ?? 0;
  found.entries += Number(verified.seq);
  const [broken] = breaks.first;
  if (broken) found.broken ??= `entry ${broken.seq} (${broken.why})`;
}
process.stdout.write(`${JSON.stringify(found)}\n`, () => process.exit(0));
