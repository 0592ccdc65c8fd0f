import { describe, expect, it } from 'vitest';
import { schemaDrift } from '#prisma/drift.ts';

/**
 * Indexes with extra columns (INCLUDE): Prisma cannot express them and would re-create them.
 */
const WITH_INCLUDED_COLUMNS = ['movements_merchant_id_rail_bucket_created_at_id_idx'];

describe('schema.prisma and the migrations', () => {
  it('say the same', async () => {
    const drift = await schemaDrift(process.env.TEST_DATABASE_URL!);
    const steps = drift
      .split(';')
      .map((step) => step.replace(/--.*$/gm, '').trim())
      .filter((step) => step !== '');
    expect(
      steps.filter((step) => !WITH_INCLUDED_COLUMNS.some((name) => step.includes(`"${name}"`))),
    ).toEqual([]);
  }, 60_000);
});
