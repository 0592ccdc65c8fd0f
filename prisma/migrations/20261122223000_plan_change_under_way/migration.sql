-- Until when a change of the plan may be on its way to the gateway: no charge of it is stored or begins before.
ALTER TABLE "recurring_plans" ADD COLUMN "change_until" TIMESTAMPTZ(6);
GRANT UPDATE ("change_until") ON "recurring_plans" TO dashboard_web;

-- A charge that took another amount than it was pressed for contradicts its press: it is flagged until a person has seen it.
ALTER TABLE "plan_charges"
  DROP CONSTRAINT "plan_charges_contradicted",
  ADD CONSTRAINT "plan_charges_contradicted" CHECK (contradicted_at IS NULL OR (state IN ('CHARGED', 'NOT_CHARGED') AND sent_at IS NOT NULL));
UPDATE "plan_charges" SET contradicted_at = clock_timestamp() WHERE state = 'CHARGED' AND taken_minor <> amount_minor AND contradicted_at IS NULL;
ALTER TABLE "plan_charges"
  ADD CONSTRAINT "plan_charges_other_amount" CHECK (state <> 'CHARGED' OR taken_minor IS NULL OR taken_minor = amount_minor OR contradicted_at IS NOT NULL);
