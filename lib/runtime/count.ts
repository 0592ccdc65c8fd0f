import 'server-only';
import { inOne, join, kept, literal, sql } from './db.ts';
import type { Prisma } from './db.ts';

type Asked = {
  count: Prisma.Sql;
  resolve: (count: number) => void;
  reject: (error: unknown) => void;
};

/** The counts that were asked for since the last statement left, by merchant. */
const asked = new Map<string, Asked[]>();

/**
 * The number that `count` finds: a statement of one row with one integer column. Those that one page
 * asks for at once, such as the counts of its menu, are one statement; a fault fails all of them.
 */
export function countIn(merchantId: string, count: Prisma.Sql): Promise<number> {
  return new Promise((resolve, reject) => {
    const line = asked.get(merchantId) ?? [];
    if (line.length === 0) queueMicrotask(() => void countTogether(merchantId));
    asked.set(merchantId, [...line, { count, resolve, reject }]);
  });
}

async function countTogether(merchantId: string): Promise<void> {
  const line = asked.get(merchantId)!;
  asked.delete(merchantId);
  try {
    const counts = line.map(({ count }, at) => sql`(${count}) AS ${literal(`n${at}`)}`);
    const [row] = await inOne<Record<string, number>>(
      merchantId,
      kept(sql`SELECT ${join(counts)}`),
    );
    line.forEach(({ resolve }, at) => resolve(row![`n${at}`]!));
  } catch (error) {
    for (const { reject } of line) reject(error);
  }
}
