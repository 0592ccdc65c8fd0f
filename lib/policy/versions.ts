import 'server-only';
import { columns } from '#lib/runtime/db.ts';
import type { RowOf, Tx } from '#lib/runtime/db.ts';
import { readRules } from './stored-rules.ts';
import type { PolicyRule } from './rules.ts';
import { readStepUpRule } from './step-up-rule.ts';
import type { StepUpRule } from './step-up-rule.ts';

/** A policy with its number; it is in force until a later one is. */
export type PolicyVersion = {
  version: number;
  rules: PolicyRule[];
  stepUp: StepUpRule | null;
  proposedBy: string;
  confirmedBy: string;
  validFrom: Date;
};

const VERSION = columns('policy_versions', [
  'version',
  'rules',
  'step_up',
  'proposed_by',
  'confirmed_by',
  'valid_from',
]);

/** Null while the merchant has stored no policy: then nothing needs an approval. */
export async function currentPolicy(tx: Tx): Promise<PolicyVersion | null> {
  const [row] = await tx.$queryRaw<
    RowOf<typeof VERSION>[]
  >`SELECT ${VERSION} FROM policy_versions ORDER BY version DESC LIMIT 1`;
  return row ? versionOf(row) : null;
}

/** All versions, the newest first. */
export async function policyVersions(tx: Tx): Promise<PolicyVersion[]> {
  const rows = await tx.$queryRaw<
    RowOf<typeof VERSION>[]
  >`SELECT ${VERSION} FROM policy_versions ORDER BY version DESC`;
  return rows.map(versionOf);
}

function versionOf(row: RowOf<typeof VERSION>): PolicyVersion {
  return {
    version: row.version,
    rules: readRules(row.rules),
    stepUp: readStepUpRule(row.step_up),
    proposedBy: row.proposed_by,
    confirmedBy: row.confirmed_by,
    validFrom: row.valid_from,
  };
}
